#include "device/simulator/run/device_runtime.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "device/launch_check.hpp"
#include "device/occupancy.hpp"
#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

struct NamedError {
  CudaError code;
  std::string_view name, sentence;
};
constexpr NamedError kErrors[] = {
    {CudaError::success, "cudaSuccess", "no error"},
    {CudaError::invalid_value, "cudaErrorInvalidValue", "invalid argument"},
    {CudaError::memory_allocation, "cudaErrorMemoryAllocation", "out of memory"},
    {CudaError::invalid_configuration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {CudaError::invalid_memcpy_direction, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {CudaError::launch_max_depth_exceeded, "cudaErrorLaunchMaxDepthExceeded",
     "launch would exceed maximum depth of nested launches"},
    {CudaError::launch_pending_count_exceeded, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    {CudaError::invalid_device_function, "cudaErrorInvalidDeviceFunction",
     "invalid device function"},
    {CudaError::invalid_device, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {CudaError::invalid_resource_handle, "cudaErrorInvalidResourceHandle",
     "invalid resource handle"},
    {CudaError::launch_out_of_resources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {CudaError::not_supported, "cudaErrorNotSupported", "operation not supported"},
    {CudaError::invalid_cluster_size, "cudaErrorInvalidClusterSize", "cluster misconfiguration"},
};

const NamedError* find_error(CudaError code) {
  const auto* found = std::ranges::find(kErrors, code, &NamedError::code);
  return found == std::end(kErrors) ? nullptr : found;
}

// Constants of CUDA's headers.
constexpr std::uint64_t kStreamLegacy = 1, kStreamPerThread = 2;
constexpr std::uint64_t kStreamTailLaunch = 3, kStreamFireAndForget = 4;
constexpr std::uint64_t kStreamNonBlocking = 1;   ///< the flag that streams of kernels need
constexpr std::uint64_t kEventDisableTiming = 2;  ///< the flag that events of kernels need
constexpr std::uint64_t kDeviceToDevice = 3, kDefaultKind = 4;
constexpr std::int32_t kRuntimeVersion = 13000;

/// cudaLimit by number; nothing where there is no such limit.
std::optional<std::uint64_t> limit_of(std::uint64_t limit) {
  switch (limit) {
    case 0: return 1024;                  // cudaLimitStackSize, of a thread
    case 1: return 1u << 20;              // cudaLimitPrintfFifoSize
    case 2: return 8u << 20;              // cudaLimitMallocHeapSize
    case 4: return kMostPendingLaunches;  // cudaLimitDevRuntimePendingLaunchCount
    default: return std::nullopt;
  }
}

/// cudaDeviceAttr by number, as far as the table of GPUs has them.
std::optional<std::uint32_t> attribute_of(const Properties& gpu, std::uint64_t attribute) {
  switch (attribute) {
    case 1: return gpu.max_threads_per_block;
    case 2: return gpu.max_block.x;
    case 3: return gpu.max_block.y;
    case 4: return gpu.max_block.z;
    case 5: return gpu.max_grid.x;
    case 6: return gpu.max_grid.y;
    case 7: return gpu.max_grid.z;
    case 8: return gpu.shared_per_block;
    case 9: return gpu.constant_bytes;
    case 10: return static_cast<std::uint32_t>(kLanes);
    case 12: return gpu.registers_per_multiprocessor;
    case 13: return gpu.clock_khz;
    case 16: return gpu.multiprocessors;
    case 38: return static_cast<std::uint32_t>(gpu.l2_bytes);
    case 39: return gpu.max_threads_per_multiprocessor;
    case 75: return static_cast<std::uint32_t>(gpu.compute_capability / 10);
    case 76: return static_cast<std::uint32_t>(gpu.compute_capability % 10);
    case 81: return gpu.shared_per_multiprocessor;
    case 82: return gpu.registers_per_multiprocessor;
    case 97: return gpu.shared_per_block_optin;
    case 106: return gpu.max_blocks_per_multiprocessor;
    case 111: return gpu.reserved_shared_per_block;
    default: return std::nullopt;
  }
}

/// struct cudaFuncAttributes of driver_types.h.
struct FunctionAttributes {
  std::uint64_t shared_bytes = 0, constant_bytes = 0, local_bytes = 0;
  std::int32_t most_threads = 0, registers = 0, ptx_version = 0, binary_version = 0, cache_mode = 0;
  std::int32_t most_dynamic_shared = 0, carveout = -1, must_set_cluster = 0;
  std::int32_t cluster_width = 0, cluster_height = 0, cluster_depth = 0, scheduling = 0;
  std::int32_t other_cluster_sizes = 0;
  std::int32_t reserved[16] = {};
};
static_assert(sizeof(FunctionAttributes) == 144);

FunctionAttributes attributes_of(const KernelInfo& kernel, const LoadedModule& module) {
  const Properties& gpu = module.gpu();
  FunctionAttributes a;
  a.shared_bytes = kernel.static_shared;
  a.local_bytes = kernel.local_bytes;
  a.most_threads = static_cast<std::int32_t>(kernel.max_threads != 0 ? kernel.max_threads
                                                                     : gpu.max_threads_per_block);
  a.registers = static_cast<std::int32_t>(kernel.registers.value_or(0));
  a.ptx_version = static_cast<std::int32_t>(module.parsed().target);
  a.binary_version = gpu.compute_capability;
  a.most_dynamic_shared =
      static_cast<std::int32_t>(gpu.shared_per_block) - static_cast<std::int32_t>(a.shared_bytes);
  if (const auto& cluster = kernel.required_cluster) {
    a.must_set_cluster = 1;
    a.cluster_width = static_cast<std::int32_t>(cluster->x);
    a.cluster_height = static_cast<std::int32_t>(cluster->y);
    a.cluster_depth = static_cast<std::int32_t>(cluster->z);
  }
  return a;
}

/// What the device runtime answers where a launch from the host would be refused with `error`.
CudaError code_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid_value: return CudaError::invalid_value;
    case ErrorCode::launch_out_of_resources: return CudaError::launch_out_of_resources;
    case ErrorCode::invalid_cluster: return CudaError::invalid_cluster_size;
    case ErrorCode::not_supported: return CudaError::not_supported;
    default: return CudaError::invalid_configuration;
  }
}

Message why_of(const Error& error) {
  for (const MessageArgument& a : error.arguments) {
    if (a.name == "why") return a.value;
  }
  return error.message();
}

std::uint64_t parameter_bytes(const KernelInfo& kernel) {
  std::uint64_t bytes = 0;
  for (const ParameterInfo& p : kernel.parameters) {
    const std::uint64_t alignment = std::max(p.alignment, 1u);
    bytes = (bytes + alignment - 1) / alignment * alignment + p.bytes;
  }
  return bytes;
}

}  // namespace

std::string_view name_of(CudaError error) {
  const NamedError* known = find_error(error);
  return known ? known->name : "cudaErrorUnknown";
}

std::string_view sentence_of(CudaError error) {
  const NamedError* known = find_error(error);
  return known ? known->sentence : "unrecognized error code";
}

/// One lane's call of a function of the device runtime.
class RuntimeCall {
 public:
  RuntimeCall(BlockRunner& runner, const Fragment& fragment, const isa::CallDetail& detail,
              const BasicBlock& at, int lane)
      : runner_(runner),
        launch_(runner.launch),
        frame_(*fragment.frame),
        detail_(detail),
        at_(at),
        lane_(lane) {}

  /// Does what is asked; the value that the call gives back.
  std::uint64_t run() {
    using isa::External;
    switch (detail_.external) {
      case External::get_parameter_buffer: return get_parameter_buffer();
      case External::launch_device: return done(launch_device());
      case External::get_last_error: return last_error(true);
      case External::peek_at_last_error: return last_error(false);
      case External::get_error_name: return text_of_error(true);
      case External::get_error_string: return text_of_error(false);
      case External::get_device: return done(put(argument(0), std::int32_t{0}));
      case External::get_device_count: return done(put(argument(0), std::int32_t{1}));
      case External::device_get_attribute: return done(device_get_attribute());
      case External::device_get_limit: return done(device_get_limit());
      case External::runtime_get_version: return done(put(argument(0), kRuntimeVersion));
      case External::stream_create: return done(create(queue().streams, kStreamNonBlocking));
      case External::stream_destroy: return done(destroy(queue().streams));
      case External::event_create: return done(create(queue().events, kEventDisableTiming));
      case External::event_destroy: return done(destroy(queue().events));
      // The order of the launches is that of the events, too.
      case External::event_record: return done(check_event(argument(0), argument(1)));
      case External::stream_wait_event: return done(check_event(argument(1), argument(0)));
      case External::func_get_attributes: return done(func_get_attributes());
      case External::occupancy: return done(occupancy());
      case External::device_malloc: return done(malloc());
      case External::device_free: return done(free());
      case External::memcpy: return done(copy(false));
      case External::memcpy_2d: return done(copy(true));
      case External::memset: return done(fill(false));
      case External::memset_2d: return done(fill(true));
      case External::none:
      case External::vprintf:
      case External::assertfail:
      case External::malloc:
      case External::free: break;
    }
    return 0;
  }

 private:
  [[nodiscard]] std::uint64_t argument(std::size_t k) const {
    return runner_.argument(frame_, detail_.arguments[k], lane_);
  }
  [[nodiscard]] Dim3 dim3_argument(std::size_t k) const {
    const isa::ParameterPlace& place = detail_.arguments[k];
    std::uint32_t words[3] = {0, 0, 0};
    for (std::uint32_t w = 0; w < std::min(place.bytes / 4, 3u); ++w) {
      const isa::ParameterPlace word{place.row + 128 * w, 4};
      words[w] = static_cast<std::uint32_t>(runner_.argument(frame_, word, lane_));
    }
    return {words[0], words[1], words[2]};
  }

  DeviceQueue& queue() { return launch_.queue; }
  GlobalMemory& memory() { return launch_.module.memory(); }
  [[nodiscard]] std::uint32_t thread() const { return runner_.thread_of(lane_); }
  [[nodiscard]] std::uint64_t thread_key() const {
    return std::uint64_t{runner_.context.block_index} << 32 | thread();
  }

  /// The thread keeps the last error; what succeeds leaves it.
  std::uint64_t done(CudaError error) {
    if (error != CudaError::success) runner_.last_errors_[thread_key()] = error;
    return static_cast<std::uint64_t>(error);
  }

  std::uint64_t last_error(bool forget) {
    runner_.unseen_errors_.erase(thread_key());
    const auto found = runner_.last_errors_.find(thread_key());
    if (found == runner_.last_errors_.end()) return 0;
    const CudaError error = found->second;
    if (forget) runner_.last_errors_.erase(found);
    return static_cast<std::uint64_t>(error);
  }

  [[nodiscard]] RawFinding finding(ErrorCode code, MessageArguments words,
                                   Pointer address = 0) const {
    RawFinding f;
    f.code = code;
    f.block = runner_.context.block_index;
    f.thread = thread();
    f.instruction = at_.first_instruction + at_.instructions - 1;
    f.address = address;
    f.words = std::move(words);
    f.table = runner_.observer.table;
    return f;
  }

  /// A launch that does not happen. <<<>>> drops what the device runtime answers, so it becomes a finding unless the thread
  /// asks for its last error.
  CudaError refuse(CudaError error, std::string kernel, Message why) {
    runner_.unseen_errors_.try_emplace(
        thread_key(), finding(ErrorCode::child_refused, {{"error", std::string(name_of(error))},
                                                         {"kernel", std::move(kernel)},
                                                         {"why", std::move(why)}}));
    return error;
  }

  template <class T>
  CudaError put(std::uint64_t address, const T& value) {
    return runner_.write_bytes(address, &value, sizeof value, lane_) ? CudaError::success
                                                                     : CudaError::invalid_value;
  }

  std::uint64_t get_parameter_buffer() {
    const Pointer address = argument(0);
    const KernelInfo* kernel = launch_.module.kernel_at(address);
    if (!kernel) {
      const std::string text = fmt::format("{:#x}", address);
      done(refuse(CudaError::invalid_device_function, text,
                  {"phrase.why.child-kernel", {{"address", text}}, {}}));
      return 0;
    }
    const std::uint64_t bytes = parameter_bytes(*kernel);
    const Pointer buffer = memory_for(bytes);
    if (buffer == 0) {
      done(CudaError::memory_allocation);
      return 0;
    }
    queue().buffers[buffer] = {kernel, dim3_argument(1), dim3_argument(2),
                               static_cast<std::uint32_t>(argument(3)), bytes};
    return buffer;
  }

  /// Memory for arguments, which is used again and again, since it is needed from the call to the launch only.
  Pointer memory_for(std::uint64_t bytes) {
    Pointer address = 0;
    if (const auto spare = queue().spares.find(bytes); spare != queue().spares.end()) {
      address = spare->second;
      queue().spares.erase(spare);
    } else if (const auto made = memory().allocate("the arguments of a launch", ElementType::u8,
                                                   std::max<std::uint64_t>(bytes, 1))) {
      address = *made;
      runner_.refresh_allocations();
    }
    if (runner_.race && address != 0) runner_.race->forget(address, bytes);
    return address;
  }

  CudaError launch_device() {
    const Pointer buffer = argument(0);
    const auto found = queue().buffers.find(buffer);
    if (found == queue().buffers.end()) {
      const std::string text = fmt::format("{:#x}", buffer);
      return refuse(CudaError::invalid_value, text,
                    {"phrase.why.child-buffer", {{"address", text}}, {}});
    }
    const ParameterBuffer asked = found->second;
    queue().buffers.erase(found);
    queue().spares.emplace(asked.bytes, buffer);
    const std::string& name = asked.kernel->name;
    const std::uint64_t stream = argument(1);
    if (!is_stream(stream)) return CudaError::invalid_resource_handle;
    const std::uint32_t depth = launch_.depth + 1;
    if (depth > kMostLaunchDepth)
      return refuse(CudaError::launch_max_depth_exceeded, name,
                    {"phrase.why.child-depth", {{"depth", depth}, {"most", kMostLaunchDepth}}, {}});
    if (launch_.tree.pending >= kMostPendingLaunches)
      return refuse(CudaError::launch_pending_count_exceeded, name,
                    {"phrase.why.child-pending", {{"most", kMostPendingLaunches}}, {}});
    const auto admission = check_geometry(launch_.module.gpu(), *asked.kernel, geometry_of(asked));
    if (!admission) return refuse(code_of(admission.error()), name, why_of(admission.error()));

    ChildGrid child{asked.kernel,
                    asked.grid,
                    asked.block,
                    admission->cluster,
                    asked.dynamic_shared,
                    admission->resident_blocks,
                    {}};
    child.parameters.resize(asked.bytes);
    (void)memory().read(buffer, child.parameters, "launch");
    check_pointers(child);
    ++launch_.tree.pending;
    enqueue(stream, std::move(child));
    return CudaError::success;
  }

  static Launch geometry_of(const ParameterBuffer& asked) {
    Launch launch;
    launch.grid = asked.grid;
    launch.block = asked.block;
    launch.dynamic_shared = asked.dynamic_shared;
    return launch;
  }

  /// A child grid has shared and local memory of its own, so the parent's means nothing to it.
  void check_pointers(const ChildGrid& child) {
    std::uint64_t offset = 0;
    for (std::size_t k = 0; k < child.kernel->parameters.size(); ++k) {
      const ParameterInfo& p = child.kernel->parameters[k];
      const std::uint64_t alignment = std::max(p.alignment, 1u);
      offset = (offset + alignment - 1) / alignment * alignment;
      if (class_of(p) == ParameterClass::pointer) {
        std::uint64_t value = 0;
        std::memcpy(&value, child.parameters.data() + offset, sizeof value);
        if (is_private(value)) report_pointer(child, k, value);
      }
      offset += p.bytes;
    }
  }

  [[nodiscard]] bool is_private(Pointer address) const {
    const std::uint64_t offset = address % kWindowBytes;
    return (window_of(address) == kSharedWindow && offset <= runner_.context.shared_bytes) ||
           (window_of(address) == kLocalWindow && offset <= runner_.context.local_bytes);
  }

  void report_pointer(const ChildGrid& child, std::size_t index, Pointer value) {
    const bool shared = window_of(value) == kSharedWindow;
    runner_.observer.find(
        finding(ErrorCode::child_pointer,
                {{"name", Message{shared ? "phrase.name.shared" : "phrase.name.local", {}, {}}},
                 {"kernel", child.kernel->name},
                 {"index", index + 1}},
                value));
  }

  void enqueue(std::uint64_t stream, auto&& what) {
    const auto instruction = at_.first_instruction + at_.instructions - 1;
    const SourcePlace place = isa::place_in_program(launch_.module.parsed(),
                                                    *launch_.code.instructions[instruction].source);
    (stream == kStreamTailLaunch ? queue().tail : queue().work)
        .push_back({std::forward<decltype(what)>(what), place});
  }

  bool is_stream(std::uint64_t handle) {
    return handle <= kStreamFireAndForget || queue().streams.contains(handle);
  }

  CudaError device_get_attribute() {
    const auto value = attribute_of(launch_.module.gpu(), argument(1));
    if (argument(2) != 0) return CudaError::invalid_device;
    return value ? put(argument(0), *value) : CudaError::invalid_value;
  }

  CudaError device_get_limit() {
    const auto value = limit_of(argument(1));
    return value ? put(argument(0), *value) : CudaError::invalid_value;
  }

  /// A text of an error, in memory that lasts as long as the launch.
  std::uint64_t text_of_error(bool name) {
    const auto error = static_cast<CudaError>(argument(0));
    Pointer& address = launch_.tree.texts[{name, error}];
    if (address != 0) return address;
    std::string text(name ? name_of(error) : sentence_of(error));
    text.push_back('\0');
    const auto made = memory().allocate("the text of an error", ElementType::u8, text.size(),
                                        AllocationKind::constant);
    if (!made) return 0;
    address = *made;
    (void)memory().write(address, std::as_bytes(std::span(text)), "launch");
    runner_.refresh_allocations();
    return address;
  }

  CudaError create(std::set<std::uint64_t>& handles, std::uint64_t flag) {
    if (argument(1) != flag) return CudaError::invalid_value;
    const std::uint64_t handle = queue().next_handle++;
    handles.insert(handle);
    return put(argument(0), handle);
  }

  CudaError destroy(std::set<std::uint64_t>& handles) {
    return handles.erase(argument(0)) != 0 ? CudaError::success
                                           : CudaError::invalid_resource_handle;
  }

  CudaError check_event(std::uint64_t event, std::uint64_t stream) {
    if (!queue().events.contains(event) || !is_stream(stream))
      return CudaError::invalid_resource_handle;
    const bool named = stream == kStreamTailLaunch || stream == kStreamFireAndForget;
    return named ? CudaError::invalid_value : CudaError::success;
  }

  CudaError func_get_attributes() {
    const KernelInfo* kernel = launch_.module.kernel_at(argument(1));
    return kernel ? put(argument(0), attributes_of(*kernel, launch_.module))
                  : CudaError::invalid_device_function;
  }

  CudaError occupancy() {
    const KernelInfo* kernel = launch_.module.kernel_at(argument(1));
    if (!kernel) return CudaError::invalid_device_function;
    const auto threads = static_cast<std::uint32_t>(argument(2));
    if (threads == 0) return CudaError::invalid_value;
    const Occupancy fits =
        occupancy_of(launch_.module.gpu(),
                     {.threads = threads,
                      .registers = kernel->registers,
                      .shared = kernel->static_shared + static_cast<std::uint32_t>(argument(3))});
    return put(argument(0), fits.blocks);
  }

  CudaError malloc() {
    const Pointer address = runner_.allocate_on_heap("cudaMalloc", argument(1), at_, lane_);
    return address == 0 ? CudaError::memory_allocation : put(argument(0), address);
  }

  CudaError free() {
    return runner_.release_to_heap("cudaFree", argument(0)) ? CudaError::success
                                                            : CudaError::invalid_value;
  }

  /// cudaMemcpyAsync(to, from, bytes, kind, stream), or with pitches
  /// cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream)
  CudaError copy(bool pitched) {
    const std::uint64_t kind = argument(pitched ? 6 : 3), stream = argument(pitched ? 7 : 4);
    ChildCopy c;
    c.to = argument(0);
    c.from = argument(pitched ? 2 : 1);
    c.width = argument(pitched ? 4 : 2);
    if (pitched) {
      c.to_pitch = argument(1);
      c.from_pitch = argument(3);
      c.height = argument(5);
      if (c.width > c.to_pitch || c.width > c.from_pitch) return CudaError::invalid_value;
    }
    if (kind != kDeviceToDevice && kind != kDefaultKind) return CudaError::invalid_memcpy_direction;
    if (is_private(c.to) || is_private(c.from)) return CudaError::invalid_value;
    if (!is_stream(stream)) return CudaError::invalid_resource_handle;
    enqueue(stream, c);
    return CudaError::success;
  }

  /// cudaMemsetAsync(to, value, bytes, stream), or with a pitch
  /// cudaMemset2DAsync(to, pitch, value, width, height, stream)
  CudaError fill(bool pitched) {
    const std::uint64_t stream = argument(pitched ? 5 : 3);
    ChildFill c;
    c.to = argument(0);
    c.value = static_cast<std::byte>(argument(pitched ? 2 : 1));
    c.width = argument(pitched ? 3 : 2);
    if (pitched) {
      c.pitch = argument(1);
      c.height = argument(4);
      if (c.width > c.pitch) return CudaError::invalid_value;
    }
    if (is_private(c.to)) return CudaError::invalid_value;
    if (!is_stream(stream)) return CudaError::invalid_resource_handle;
    enqueue(stream, c);
    return CudaError::success;
  }

  BlockRunner& runner_;
  LaunchState& launch_;
  const CallFrame& frame_;
  const isa::CallDetail& detail_;
  const BasicBlock& at_;
  int lane_;
};

void BlockRunner::device_runtime(const Fragment& f, const isa::CallDetail& d, const BasicBlock& b) {
  for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t value = RuntimeCall(*this, f, d, b, lane).run();
    put_result(*f.frame, d.results[0], lane, value);
  }
  ++context.changes;
}

void BlockRunner::report_unseen_errors() {
  std::vector<RawFinding> unseen;
  for (auto& [thread, error] : unseen_errors_) unseen.push_back(std::move(error));
  for (RawFinding& error : unseen) observer.find(std::move(error));
}

}  // namespace warpbook::device
