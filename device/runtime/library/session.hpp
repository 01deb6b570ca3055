// A program's connection to the process that runs its kernels, and what the library knows without asking there. One for the whole
// program; each host thread has a channel of its own.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "device/runtime/call_log.hpp"
#include "device/runtime/messages.hpp"
#include "device/wire/bytes.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device::runtime {

struct Context;

/// Memory that the program allocated and has not freed.
struct Memory {
  std::uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  int device = 0;
  unsigned flags = 0;                ///< as given to cudaHostAlloc or cudaMallocManaged
  const void* pool = nullptr;        ///< from which cudaMallocAsync took it
  const Context* context = nullptr;  ///< with which it goes
};

class Session {
 public:
  /// Connects at the first call. Null, with a line on standard error, where nobody runs the program's kernels.
  static Session* get();

  [[nodiscard]] const Welcome& welcome() const { return welcome_; }
  [[nodiscard]] CallLog& calls() const { return calls_.log(); }

  /// Sends a request on this thread's channel and waits for its answer. Nothing where the other side has ended.
  template <class R>
  std::optional<typename R::Reply> ask(R request) {
    const auto bytes = exchange(to_bytes(Request(std::move(request))));
    if (!bytes) return std::nullopt;
    auto reply = from_bytes<typename R::Reply>(*bytes);
    if (!reply) return std::nullopt;
    return std::move(*reply);
  }

  /// A second channel, on which the program calls host functions that its streams reach. Made once.
  bool serve_callbacks();

  // Memory, by address.
  void add(std::uint64_t address, const Memory& memory);
  std::optional<Memory> remove(std::uint64_t address);
  /// All of it at this moment.
  [[nodiscard]] std::map<std::uint64_t, Memory> allocations() const;
  /// What holds the address, and where it begins.
  [[nodiscard]] std::optional<std::pair<std::uint64_t, Memory>> find(std::uint64_t address) const;
  /// The address is in the devices' region, allocated or not.
  [[nodiscard]] bool is_device_address(std::uint64_t address) const;
  /// Opens or closes pages of the region for the host.
  void open_pages(std::uint64_t address, std::uint64_t bytes, bool open) const;

 private:
  Session() = default;
  bool connect();
  std::optional<std::string> exchange(const std::string& request);
  Channel* channel_of_thread();

  CallLogMemory calls_;
  Channel first_;
  std::mutex first_mutex_;  ///< while a thread asks for a channel
  Welcome welcome_;
  UniqueFd memory_;
  pid_t process_ = 0;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Memory> allocations_;
  bool callbacks_ = false;
};

/// Whether this thread is calling a function of the program that a stream reached.
bool in_host_function();

/// Why no call is carried out now, where that is so: the program ends, or a stream waits for the host function that calls.
cudaError_t refusal();

/// This thread's number among those that called the runtime.
std::uint16_t thread_number(CallLog& log);

}  // namespace warpbook::device::runtime
