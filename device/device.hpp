// The device interface: load, allocate, copy, launch, synchronise. The simulator implements it on every computer, and the
// GPU back end implements the same calls. Asynchronous, as CUDA is: launches and copies take a Stream and give a
// ticket; the record, or the error, arrives when the ticket or the stream is waited for.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/checks.hpp"
#include "device/error.hpp"
#include "device/launch_record.hpp"
#include "device/program.hpp"
#include "device/short_spin.hpp"
#include "device/texture.hpp"
#include "device/types.hpp"

namespace warpbook::device {

/// A GPU's limits and rates: a row of the GPU table (gpu_table.cpp, each figure with its source), or what the driver says.
struct Properties {
  std::string name;             ///< "H200"
  int compute_capability = 90;  ///< major x 10 + minor
  std::uint32_t multiprocessors = 0;
  std::uint32_t max_threads_per_block = 1024;
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{2147483647, 65535, 65535};
  std::uint32_t max_threads_per_multiprocessor = 0;
  std::uint32_t max_blocks_per_multiprocessor = 0;
  std::uint32_t registers_per_multiprocessor = 65536;
  std::uint32_t max_registers_per_thread = 255;
  std::uint32_t shared_per_multiprocessor = 0;  ///< bytes
  std::uint32_t shared_per_block = 49152;       ///< bytes, without opting in
  std::uint32_t shared_per_block_optin = 0;     ///< bytes, the most a kernel may ask for
  std::uint32_t reserved_shared_per_block = 0;  ///< bytes (1,024 from 8.0 on)
  std::uint32_t constant_bytes = 65536;
  std::uint32_t max_cluster_blocks = 0;  ///< 0: no clusters
  std::uint64_t global_bytes = 0;
  std::uint64_t l2_bytes = 0;
  std::uint32_t clock_khz = 0;  ///< boost
  std::uint32_t memory_clock_khz = 0;
  std::uint32_t memory_bus_bits = 0;
  bool simulated = true;
};
template <class V>
void fields(V&& visit, Is<Properties> auto& v) {
  visit("name", v.name);
  visit("compute_capability", v.compute_capability);
  visit("multiprocessors", v.multiprocessors);
  visit("max_threads_per_block", v.max_threads_per_block);
  visit("max_block", v.max_block);
  visit("max_grid", v.max_grid);
  visit("max_threads_per_multiprocessor", v.max_threads_per_multiprocessor);
  visit("max_blocks_per_multiprocessor", v.max_blocks_per_multiprocessor);
  visit("registers_per_multiprocessor", v.registers_per_multiprocessor);
  visit("max_registers_per_thread", v.max_registers_per_thread);
  visit("shared_per_multiprocessor", v.shared_per_multiprocessor);
  visit("shared_per_block", v.shared_per_block);
  visit("shared_per_block_optin", v.shared_per_block_optin);
  visit("reserved_shared_per_block", v.reserved_shared_per_block);
  visit("constant_bytes", v.constant_bytes);
  visit("max_cluster_blocks", v.max_cluster_blocks);
  visit("global_bytes", v.global_bytes);
  visit("l2_bytes", v.l2_bytes);
  visit("clock_khz", v.clock_khz);
  visit("memory_clock_khz", v.memory_clock_khz);
  visit("memory_bus_bits", v.memory_bus_bits);
  visit("simulated", v.simulated);
}

/// The GPU table (gpu_table.cpp). find_gpu() takes a name as people write it, "h200", "H200", "rtx 4090", and gives nullptr where the
/// table has no such GPU.
std::span<const Properties> gpu_table();
const Properties* find_gpu(std::string_view name);
/// Never nullptr. Error: no_such_gpu, with the names there are.
Expected<const Properties*> known_gpu(std::string_view name);
/// The GPU that is simulated where none is chosen.
inline constexpr std::string_view kDefaultGpu = "h200";

enum class Feature : std::uint8_t {
  counters,
  findings,
  trace,
  clusters,
  cooperative,
  textures,
  surfaces,
  peer_copy,
  events,
  graphs,
  pinned,
  seeds
};

/// A result that arrives later. Copies share the result.
template <class T>
class Ticket {
 public:
  /// Waits, and gives the value or the error. May be called again.
  const Expected<T>& wait() const& {
    if (short_spin([&] { return state_->there.load(std::memory_order_acquire); }))
      return *state_->result;
    std::unique_lock lock(state_->mutex);
    state_->arrived.wait(lock, [&] { return state_->result.has_value(); });
    return *state_->result;
  }
  /// Of a temporary ticket: a copy, because the result goes with the ticket.
  Expected<T> wait() const&& { return static_cast<const Ticket&>(*this).wait(); }
  [[nodiscard]] bool ready() const {
    std::lock_guard lock(state_->mutex);
    return state_->result.has_value();
  }
  /// For back ends: delivers the result, once.
  void deliver(Expected<T> result) {
    {
      std::lock_guard lock(state_->mutex);
      state_->result = std::move(result);
    }
    state_->there.store(true, std::memory_order_release);
    state_->arrived.notify_all();
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<Expected<T>> result;
    std::atomic<bool> there{false};  // set after `result`, which never changes then
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

struct Done {};
using CopyTicket = Ticket<Done>;
using LaunchTicket = Ticket<std::shared_ptr<const LaunchRecord>>;

/// A queue of work in order. Id 0 is the default stream, which waits for the others and they for it, as CUDA's legacy one.
struct Stream {
  std::uint32_t id = 0;
};
struct Event {
  std::uint32_t id = 0;
};
/// A kernel's parameter, as its PTX declares it.
struct ParameterInfo {
  std::string type;  ///< PTX type: "u64", "f32"; "b8" for a structure
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 0;
  std::string
      declared;  ///< type in the source, from the mangled name: "float*"; empty where that is unknown
};

struct KernelInfo {
  std::string mangled;  ///< the name in the PTX
  std::string name;     ///< as the source says it
  std::vector<ParameterInfo> parameters;
  std::uint32_t static_shared = 0;       ///< bytes a block
  std::uint32_t local_bytes = 0;         ///< bytes a thread
  std::uint32_t max_threads = 0;         ///< from __launch_bounds__; 0: none said
  std::optional<Dim3> required_block;    ///< .reqntid: the only block it may be launched with
  std::optional<Dim3> required_cluster;  ///< __cluster_dims__
  // From a cubin, where there is one.
  std::optional<std::uint32_t> registers;      ///< a thread
  std::optional<std::uint32_t> spilled_bytes;  ///< of registers kept in local memory, a thread
  struct Machine {
    std::string name;  ///< "FFMA"; empty where the opcode is not known
    std::uint16_t opcode = 0;
    std::uint32_t count = 0;
    friend bool operator==(const Machine&, const Machine&) = default;
  };
  std::vector<Machine>
      machine_mix;  ///< its instructions in machine code by opcode: static, not executed
};

/// Loaded code. Lives as long as anyone holds it.
class Module {
 public:
  virtual ~Module() = default;
  [[nodiscard]] virtual std::span<const KernelInfo> kernels() const = 0;
  /// By mangled or plain name ("scale", "scale<float>", "ns::scale"); an error names those there are. An empty name
  /// finds the only kernel.
  [[nodiscard]] Expected<const KernelInfo*> kernel(std::string_view name) const;
};

/// One kernel argument: its bytes and their type.
struct Argument {
  enum class Kind : std::uint8_t { scalar, pointer, structure } kind = Kind::scalar;
  ElementType type = ElementType::i32;  ///< of a scalar
  std::vector<std::byte> bytes;

  template <class T>
  static Argument of(T value) {
    Argument a;
    a.type = element_type_of<T>::value;
    a.bytes.resize(sizeof value);
    __builtin_memcpy(a.bytes.data(), &value, sizeof value);
    return a;
  }
  static Argument pointer(Pointer address) {
    Argument a = of(address);
    a.kind = Kind::pointer;
    return a;
  }
  static Argument structure(std::vector<std::byte> bytes) {
    return {Kind::structure, ElementType::u8, std::move(bytes)};
  }
};

/// The warp whose issues are recorded, one after another. A launch that watches none pays nothing for it.
struct WatchedWarp {
  std::uint64_t block = 0;   ///< linear
  std::uint32_t warp = 0;    ///< in its block
  std::uint32_t issues = 0;  ///< so many of its first instructions; 0: no warp is watched
};

/// What to observe in a launch: checkers, counters, a trace, what one warp issued, and who wrote what.
struct Observation : Checks {
  bool counters = true;
  std::uint32_t trace_accesses = 65536;
  WatchedWarp watched_warp;
  std::vector<std::string> write_maps;  ///< names of allocations
};

/// Where a runaway kernel ends. 0: no bound.
struct Budget {
  std::uint64_t thread_instructions = 0;
  std::uint64_t output_bytes = 16u << 20;
  /// Of the simulator: what a kernel prints beyond output_bytes is dropped, as from the full buffer of a GPU, and the kernel goes on.
  bool drop_output = false;
  std::uint64_t memory_bytes =
      8ull << 30;  ///< device memory committed, local memory and device malloc included
  double seconds = 0;
};

/// How to estimate a launch's time.
struct EstimateRequest {
  bool wanted = false;
  /// 0: the whole grid runs. Else only so many blocks, spread over the grid; counters and outputs are then of these alone, and the
  /// estimate says so.
  std::uint64_t blocks = 0;
};

class LaunchMemo;

struct Launch {
  std::shared_ptr<const Module> module;
  std::string kernel;  ///< mangled or plain; may be empty where the module has one
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  bool cooperative = false;
  Dim3 cluster;
  std::vector<Argument> arguments;
  Observation observe;
  Budget budget;
  EstimateRequest estimate;
  std::uint64_t seed = 0;  ///< 0: the canonical order
  /// Simulated: approximate instructions in single and half precision (ex2.approx, div.full, ...) deviate from the exact result,
  /// up or down by their operands' bits, about as far as the PTX ISA allows. Results that pass so pass on every GPU.
  bool perturb_approximations = false;
  std::uint32_t host_threads =
      0;  ///< host threads; 0: as many as the machine has, 1 where order matters
  /// Simulated: where the same launch, with the same memory, is in it, it is not simulated again. Null: it is always run. Nothing
  /// else may use the memory while the launch runs.
  std::shared_ptr<LaunchMemo> memo;
  std::stop_token stop;
  std::function<void(double)>
      progress;  ///< fraction of the blocks done, 0 to 1; called from a worker
};

/// How many blocks fit on a multiprocessor, and which resource stops the next one.
struct Occupancy {
  std::uint32_t blocks = 0;  ///< a multiprocessor
  double fraction = 0;       ///< warps resident / warps possible
  std::string limiter;       ///< "threads", "blocks", "registers", "shared"
};

/// One call that the host made. The list of them, in order, lets a test check a pipeline or count allocations.
struct HostCall {
  std::string
      call;  ///< "allocate", "copy_in", "copy_out", "copy", "fill", "launch", "synchronise", ...
  std::string subject;  ///< buffer or kernel
  std::uint64_t bytes = 0;
  std::uint32_t stream = 0;
};

/// A device. Calls may come from any thread. Nothing throws; failures are values.
///
/// Errors do not stick: a kernel that faulted is reported by its ticket and by the next synchronise, and the device goes
/// on. (On a GPU such a fault ends the context; the back end that drives one starts a new one.) A device may be destroyed
/// with work in its queues: running work is stopped, waiting work never runs, and the tickets of both get ErrorCode::cancelled.
class Device {
 public:
  virtual ~Device() = default;

  [[nodiscard]] virtual const Properties& properties() const = 0;
  [[nodiscard]] virtual bool supports(Feature feature) const = 0;

  /// PTX to a module. An instruction that is not supported is an error of the launch that could reach it, so that the
  /// other kernels of a file still run.
  virtual Expected<std::shared_ptr<const Module>> load(std::shared_ptr<const Program> program) = 0;
  /// A module's global variable: address and bytes.
  virtual Expected<AllocationInfo> global(const Module& module, std::string_view name) = 0;

  /// `count` elements, uninitialised, aligned to 256 bytes. Errors speak of it by `name`.
  virtual Expected<Pointer> allocate(std::string name, ElementType type, std::uint64_t count) = 0;
  /// Frees, after all queued work is done, as cudaFree does. 0 does nothing.
  virtual Expected<Done> release(Pointer address) = 0;
  /// Host memory that copies can overlap with. Freed by the deleter.
  virtual Expected<std::shared_ptr<std::byte[]>> allocate_pinned(std::uint64_t bytes) = 0;

  /// The host memory must live until the ticket is ready.
  virtual CopyTicket copy_in(Pointer to, std::span<const std::byte> from, Stream stream = {}) = 0;
  virtual CopyTicket copy_out(std::span<std::byte> to, Pointer from, Stream stream = {}) = 0;
  virtual CopyTicket copy(Pointer to, Pointer from, std::uint64_t bytes, Stream stream = {}) = 0;
  /// In order in this device's stream; on the other device after all that was queued there before. What is queued there
  /// later does not wait for it: wait for the ticket.
  virtual CopyTicket copy_peer(Device& to_device, Pointer to, Pointer from, std::uint64_t bytes,
                               Stream stream = {}) = 0;
  virtual CopyTicket fill(Pointer to, std::byte value, std::uint64_t bytes, Stream stream = {}) = 0;

  /// Arguments are checked against the kernel's signature and the geometry against the GPU's limits; what CUDA would
  /// refuse is refused with CUDA's own error name. The ticket holds the record also where the kernel failed
  /// (LaunchRecord::error); it holds an error only where nothing ran. Shared memory over 48 KB needs no opting in here:
  /// up to shared_per_block_optin it is granted, as if cudaFuncSetAttribute had been called.
  virtual LaunchTicket launch(Launch launch, Stream stream = {}) = 0;

  virtual Expected<Stream> create_stream() = 0;
  virtual Expected<Done> destroy(Stream stream) = 0;
  virtual Expected<Event> record_event(Stream stream) = 0;
  virtual Expected<Done> wait(Stream stream, Event event) = 0;
  /// Waits for a stream; gives the first error of its work since the last call, refused and faulted launches included.
  virtual Expected<Done> synchronise(Stream stream) = 0;
  /// Waits for all streams.
  virtual Expected<Done> synchronise() = 0;

  /// Limits, formats and alignment are checked as CUDA does, with CUDA's error names. The array's bytes count as
  /// device memory, and they start unwritten.
  virtual Expected<Array> create_array(const ArrayDescription& description) = 0;
  /// Destroying waits for all queued work, as releasing does.
  virtual Expected<Done> destroy(Array array) = 0;
  /// The host memory, which must live until the ticket is ready, holds the region's rows one after the other.
  virtual CopyTicket copy_in_array(Array to, std::span<const std::byte> from,
                                   ArrayRegion region = {}, Stream stream = {}) = 0;
  virtual CopyTicket copy_out_array(std::span<std::byte> to, Array from, ArrayRegion region = {},
                                    Stream stream = {}) = 0;
  /// Its memory must outlive it: a fetch after that is an error of the kernel.
  virtual Expected<Texture> create_texture(const TextureDescription& description) = 0;
  virtual Expected<Done> destroy(Texture texture) = 0;
  virtual Expected<Surface> create_surface(Array array, std::uint32_t level = 0) = 0;
  virtual Expected<Done> destroy(Surface surface) = 0;

  virtual Expected<Occupancy> occupancy(const Module& module, std::string_view kernel,
                                        std::uint32_t block_threads,
                                        std::uint32_t dynamic_shared) = 0;

  /// The present allocations.
  [[nodiscard]] virtual std::vector<AllocationInfo> allocations() const = 0;
  /// The host's calls so far, in order: the first 1,048,576.
  [[nodiscard]] virtual std::vector<HostCall> host_calls() const = 0;
};

/// A simulated GPU: a row of the GPU table, run on this CPU.
std::unique_ptr<Device> make_simulated_device(const Properties& gpu);
/// What to say where that throws std::bad_alloc: it reserves addresses for all of the GPU's memory.
Error no_address_space(const Properties& gpu);

/// The name "auto", "simulator" or "gpu" to a device. `gpu_name` picks the simulated row.
Expected<std::unique_ptr<Device>> open_device(std::string_view kind,
                                              std::string_view gpu_name = kDefaultGpu);

/// An allocation that frees itself. Move-only; the device must outlive it.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device& device, AllocationInfo info) : device_(&device), info_(std::move(info)) {}
  Buffer(Buffer&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), info_(std::move(other.info_)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(info_, other.info_);
    return *this;
  }
  ~Buffer() {
    if (device_) (void)device_->release(info_.address);
  }
  [[nodiscard]] Pointer address() const { return info_.address; }
  [[nodiscard]] std::uint64_t bytes() const { return info_.bytes; }
  [[nodiscard]] std::uint64_t count() const { return info_.bytes / size_of(info_.type); }
  [[nodiscard]] ElementType type() const { return info_.type; }
  [[nodiscard]] const std::string& name() const { return info_.name; }

 private:
  Device* device_ = nullptr;
  AllocationInfo info_;
};

}  // namespace warpbook::device
