// Every call of the CUDA runtime and of the driver that a program made, as a list in memory that the program shares with whoever runs it. The
// list outlives the program, however that ends.
#pragma once

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "device/unique_fd.hpp"

namespace warpbook::device::runtime {

/// The runtime's functions, in the order of functions.inc, and behind them the driver's.
enum class Function : std::uint16_t {
  none,
#define WHOLE(area, name) name,
#define PART(area, name, note) name,
#define SAME(area, name, as)
#define ABSENT(area, name) name,
#include "device/runtime/functions.inc"
  last_of_runtime,
#include "device/runtime/driver_functions.inc"
#undef WHOLE
#undef PART
#undef SAME
#undef ABSENT
};
/// As programs write it: "cudaMalloc", and "cuMemAlloc" for what the driver exports as cuMemAlloc_v2.
std::string_view name_of(Function function);
/// The names of its errors are the driver's, too.
constexpr bool is_of_driver(Function function) { return function > Function::last_of_runtime; }

inline constexpr std::size_t kFrames = 6;
inline constexpr std::uint64_t kMostCalls = 1u << 20;  ///< later ones are counted and not kept

/// One call. Times are CLOCK_MONOTONIC's nanoseconds.
struct CallRecord {
  Function function = Function::none;
  std::uint16_t thread = 0;          ///< of the host, in the order of their first calls
  std::int32_t error = 0;            ///< cudaError_t or CUresult that it returned
  std::uint64_t begin = 0, end = 0;  ///< end 0: it has not returned
  std::array<std::uint64_t, kFrames>
      frames{};  ///< addresses to which it and its callers return, the nearest first
  /// What the function was given: of allocations the address that came back and the bytes, of copies destination, source, bytes,
  /// stream and kind, of whatever goes into a stream its number in the fourth place.
  std::array<std::uint64_t, 5> values{};
};

/// An access of the program itself to memory that is not its own.
struct HostFault {
  std::atomic<std::uint32_t> signal{0};  ///< 0: none
  std::uint32_t write = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kFrames> frames{};
};

struct CallLog {
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint32_t> threads{0};
  std::atomic<std::uint64_t> base{0};  ///< where the program itself was loaded
  HostFault fault;
  alignas(64) std::array<CallRecord, kMostCalls> record;
};

/// The log's memory, mapped. Both sides hold one.
class CallLogMemory {
 public:
  CallLogMemory() = default;
  /// Of a new memfd; nothing where the system has no memory.
  static std::optional<CallLogMemory> make();
  /// Of the other side's memfd.
  static std::optional<CallLogMemory> open(UniqueFd memory);
  CallLogMemory(CallLogMemory&& other) noexcept
      : memory_(std::move(other.memory_)), log_(std::exchange(other.log_, nullptr)) {}
  CallLogMemory& operator=(CallLogMemory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(log_, other.log_);
    return *this;
  }
  ~CallLogMemory();

  [[nodiscard]] CallLog& log() const { return *log_; }
  [[nodiscard]] int fd() const { return memory_.get(); }
  /// The calls that were kept.
  [[nodiscard]] std::span<const CallRecord> kept() const;

 private:
  CallLogMemory(UniqueFd memory, CallLog* log) : memory_(std::move(memory)), log_(log) {}

  UniqueFd memory_;
  CallLog* log_ = nullptr;
};

}  // namespace warpbook::device::runtime
