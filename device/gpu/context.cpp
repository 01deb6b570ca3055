#include "device/gpu/context.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace warpbook::device::gpu {
namespace {

constexpr std::size_t kLogBytes = 16384;
constexpr std::size_t kPrintfBytes = 32u << 20;  // of a launch, before the driver drops the oldest
constexpr std::uint32_t kPortableClusterBlocks = 8;

tl::unexpected<Failure> without_harm(Error error) {
  return tl::unexpected(Failure{std::move(error), Harm::none});
}

tl::unexpected<Failure> no_such(const char* key, std::uint64_t id) {
  return without_harm(
      failure(ErrorCode::worker_protocol, {{"detail", Message{key, {{"id", std::to_string(id)}}}}})
          .value());
}

/// The log's first line with something in it, or all of it on one line.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

Result<std::unique_ptr<Context>> Context::open() {
  const auto driver = Driver::open();
  if (!driver) return without_harm(driver.error());
  auto capture = Capture::make();
  if (!capture) return without_harm(capture.error());
  std::unique_ptr<Context> context(new Context(**driver, std::move(*capture)));
  if (auto ready = context->prepare(); !ready) return tl::unexpected(ready.error());
  return context;
}

// Nothing is given back: the process ends with its context, and a lost one answers no more.
Context::~Context() = default;

Result<void> Context::check(cuda::Status status, std::string_view call) const {
  if (status == cuda::kSuccess) return {};
  return tl::unexpected(
      Failure{call_error(status, driver_.name_of(status), call), harm_of(status)});
}

Result<void> Context::prepare() {
  const DriverApi& api = driver_.api();
  int count = 0;
  if (auto ok = check(api.DeviceGetCount(&count), "cuDeviceGetCount"); !ok) return ok;
  if (count == 0) {
    return without_harm(
        failure(ErrorCode::no_device,
                {{"kind", "GPU"}, {"why", Message{"phrase.why.none-found", {}, {}}}})
            .value());
  }
  if (auto ok = check(api.DeviceGet(&device_, 0), "cuDeviceGet"); !ok) return ok;
  void* primary = nullptr;
  if (auto ok = check(api.DevicePrimaryCtxRetain(&primary, device_), "cuDevicePrimaryCtxRetain");
      !ok)
    return ok;
  if (auto ok = check(api.CtxSetCurrent(primary), "cuCtxSetCurrent"); !ok) return ok;
  if (auto ok = check(api.CtxSetLimit(cuda::kLimitPrintfBytes, kPrintfBytes), "cuCtxSetLimit"); !ok)
    return ok;
  if (auto ok = check(api.StreamCreate(&stream_, cuda::kStreamNonBlocking), "cuStreamCreate"); !ok)
    return ok;
  if (auto ok = check(api.EventCreate(&begin_, 0), "cuEventCreate"); !ok) return ok;
  if (auto ok = check(api.EventCreate(&end_, cuda::kEventBlockingSync), "cuEventCreate"); !ok)
    return ok;
  auto properties = read_properties();
  if (!properties) return tl::unexpected(properties.error());
  properties_ = std::move(*properties);
  return {};
}

Result<Properties> Context::read_properties() const {
  const DriverApi& api = driver_.api();
  std::array<char, 256> name{};
  std::size_t bytes = 0;
  if (auto ok = check(api.DeviceGetName(name.data(), static_cast<int>(name.size()), device_),
                      "cuDeviceGetName");
      !ok)
    return tl::unexpected(ok.error());
  if (auto ok = check(api.DeviceTotalMem(&bytes, device_), "cuDeviceTotalMem"); !ok)
    return tl::unexpected(ok.error());
  Properties p;
  p.name.assign(name.data(), ::strnlen(name.data(), name.size()));
  p.global_bytes = bytes;
  p.simulated = false;
  std::uint32_t major = 0, minor = 0, clusters = 0, l2 = 0;
  const std::pair<int, std::uint32_t*> wanted[] = {
      {cuda::kCapabilityMajor, &major},
      {cuda::kCapabilityMinor, &minor},
      {cuda::kMultiprocessors, &p.multiprocessors},
      {cuda::kMaxThreadsPerBlock, &p.max_threads_per_block},
      {cuda::kMaxBlockX, &p.max_block.x},
      {cuda::kMaxBlockY, &p.max_block.y},
      {cuda::kMaxBlockZ, &p.max_block.z},
      {cuda::kMaxGridX, &p.max_grid.x},
      {cuda::kMaxGridY, &p.max_grid.y},
      {cuda::kMaxGridZ, &p.max_grid.z},
      {cuda::kThreadsPerMultiprocessor, &p.max_threads_per_multiprocessor},
      {cuda::kBlocksPerMultiprocessor, &p.max_blocks_per_multiprocessor},
      {cuda::kRegistersPerMultiprocessor, &p.registers_per_multiprocessor},
      {cuda::kSharedPerMultiprocessor, &p.shared_per_multiprocessor},
      {cuda::kSharedPerBlock, &p.shared_per_block},
      {cuda::kSharedPerBlockOptin, &p.shared_per_block_optin},
      {cuda::kReservedSharedPerBlock, &p.reserved_shared_per_block},
      {cuda::kConstantBytes, &p.constant_bytes},
      {cuda::kL2Bytes, &l2},
      {cuda::kClusterLaunch, &clusters},
  };
  for (const auto& [attribute, to] : wanted) {
    int value = 0;
    if (auto ok = check(api.DeviceGetAttribute(&value, attribute, device_), "cuDeviceGetAttribute");
        !ok)
      return tl::unexpected(ok.error());
    *to = static_cast<std::uint32_t>(value);
  }
  // Nothing runs the worse without these, and not everybody may ask for them: 0 is not known.
  const std::pair<int, std::uint32_t*> welcome[] = {
      {cuda::kClockKhz, &p.clock_khz},
      {cuda::kMemoryClockKhz, &p.memory_clock_khz},
      {cuda::kMemoryBusBits, &p.memory_bus_bits},
  };
  for (const auto& [attribute, to] : welcome) {
    int value = 0;
    const bool known = api.DeviceGetAttribute(&value, attribute, device_) == cuda::kSuccess;
    *to = known ? static_cast<std::uint32_t>(std::max(value, 0)) : 0;
  }
  p.compute_capability = static_cast<int>(major * 10 + minor);
  p.l2_bytes = l2;
  // Every GPU with clusters allows so many (CUDA C++ Programming Guide, "Thread Block Clusters"), as in the GPU table.
  p.max_cluster_blocks = clusters == 0 ? 0 : kPortableClusterBlocks;
  return p;
}

Opened Context::opened() const {
  return {properties_, fmt::format("{}.{}", driver_.cuda() / 1000, driver_.cuda() % 1000 / 10),
          driver_.file()};
}

Result<std::vector<FunctionFacts>> Context::load(const LoadRequest& request) {
  const DriverApi& api = driver_.api();
  std::string log(kLogBytes, '\0');
  std::array<int, 2> options{cuda::kJitErrorLog, cuda::kJitErrorLogBytes};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(kLogBytes)};
  void* module = nullptr;
  const cuda::Status status =
      api.ModuleLoadDataEx(&module, request.ptx.c_str(), static_cast<unsigned>(options.size()),
                           options.data(), values.data());
  if (status != cuda::kSuccess) {
    log.resize(::strnlen(log.data(), log.size()));
    const std::string name = driver_.name_of(status);
    if (status == cuda::kUnsupportedPtxVersion) {
      return without_harm(
          failure(ErrorCode::driver_too_old, {{"found", opened().driver},
                                              {"cuda", fmt::format("the PTX of {}", request.name)},
                                              {"needed", std::string(kDriverNeeded)}})
              .value());
    }
    if (status == cuda::kInvalidPtx || status == cuda::kNoBinaryForGpu || !log.empty()) {
      return without_harm({ErrorCode::ptx_syntax,
                           {{"why", fmt::format("the driver gave {}: {}", name, one_line(log))}},
                           {request.name, 0, 0}});
    }
    return tl::unexpected(check(status, "cuModuleLoadDataEx").error());
  }
  std::vector<FunctionFacts> facts;
  modules_[request.module] = module;
  for (const std::string& wanted : request.functions) {
    const auto found = function(request.module, wanted);
    if (!found) return tl::unexpected(found.error());
    FunctionFacts f;
    const std::pair<int, std::uint32_t*> attributes[] = {
        {cuda::kFunctionRegisters, &f.registers},
        {cuda::kFunctionStaticShared, &f.static_shared},
        {cuda::kFunctionLocalBytes, &f.local_bytes},
        {cuda::kFunctionMaxThreads, &f.max_threads}};
    for (const auto& [attribute, to] : attributes) {
      int value = 0;
      if (auto ok = check(api.FuncGetAttribute(&value, attribute, *found), "cuFuncGetAttribute");
          !ok)
        return tl::unexpected(ok.error());
      *to = static_cast<std::uint32_t>(value);
    }
    facts.push_back(f);
  }
  return facts;
}

Result<void> Context::unload(std::uint64_t module) {
  const auto found = modules_.find(module);
  if (found == modules_.end()) return {};
  const cuda::Status status = driver_.api().ModuleUnload(found->second);
  modules_.erase(found);
  opted_in_.clear();  // another function may get the address of one of these
  std::erase_if(functions_, [&](const auto& entry) { return entry.first.first == module; });
  return check(status, "cuModuleUnload");
}

Result<void*> Context::function(std::uint64_t module, const std::string& name) {
  const auto known = functions_.find({module, name});
  if (known != functions_.end()) return known->second;
  const auto found = modules_.find(module);
  if (found == modules_.end()) return no_such("phrase.protocol.no-module", module);
  void* function = nullptr;
  const cuda::Status status =
      driver_.api().ModuleGetFunction(&function, found->second, name.c_str());
  if (auto ok = check(status, "cuModuleGetFunction"); !ok) return tl::unexpected(ok.error());
  functions_[{module, name}] = function;
  return function;
}

Result<Numbers> Context::global(const SymbolRequest& request) {
  const auto found = modules_.find(request.module);
  if (found == modules_.end()) return no_such("phrase.protocol.no-module", request.module);
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  const cuda::Status status =
      driver_.api().ModuleGetGlobal(&address, &bytes, found->second, request.name.c_str());
  if (status == cuda::kNotFound) {
    return without_harm(failure(ErrorCode::no_such_global, {{"name", request.name}}).value());
  }
  if (auto ok = check(status, "cuModuleGetGlobal"); !ok) return tl::unexpected(ok.error());
  return Numbers{address, bytes};
}

Failure Context::no_memory(std::uint64_t bytes, const std::string& name) const {
  std::size_t free = 0, total = 0;
  driver_.api().MemGetInfo(&free, &total);
  return {
      error_of(ErrorCode::out_of_memory,
               {{"bytes", std::to_string(bytes)}, {"name", name}, {"free", std::to_string(free)}}),
      Harm::none};
}

Result<Numbers> Context::allocate(std::uint64_t bytes) {
  std::uint64_t address = 0;
  const cuda::Status status = driver_.api().MemAlloc(&address, std::max<std::uint64_t>(bytes, 1));
  if (status == cuda::kOutOfMemory) return tl::unexpected(no_memory(bytes, "a buffer"));
  if (auto ok = check(status, "cuMemAlloc"); !ok) return tl::unexpected(ok.error());
  return Numbers{address};
}

Result<void> Context::release(std::uint64_t address) {
  return check(driver_.api().MemFree(address), "cuMemFree");
}

Result<void> Context::share(std::uint64_t id, std::uint64_t bytes, UniqueFd memory) {
  if (!memory || bytes == 0) return no_such("phrase.protocol.no-memory", id);
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
  if (mapped == MAP_FAILED) return no_such("phrase.protocol.no-memory", id);
  // If the system refuses to pin so much, copies are slower but just as correct.
  const bool pinned = driver_.api().MemHostRegister(mapped, bytes, 0) == cuda::kSuccess;
  shared_[id] = {static_cast<std::byte*>(mapped), bytes, pinned};
  return {};
}

Result<void> Context::unshare(std::uint64_t id) {
  const auto found = shared_.find(id);
  if (found == shared_.end()) return {};
  const Shared shared = found->second;
  shared_.erase(found);
  if (shared.pinned) driver_.api().MemHostUnregister(shared.memory);
  ::munmap(shared.memory, shared.bytes);
  return {};
}

Result<std::byte*> Context::shared(std::uint64_t id, std::uint64_t offset,
                                   std::uint64_t bytes) const {
  const auto found = shared_.find(id);
  if (found == shared_.end() || offset > found->second.bytes ||
      bytes > found->second.bytes - offset)
    return no_such("phrase.protocol.no-memory", id);
  return found->second.memory + offset;
}

/// Waits for the work that was queued with `status`.
Result<void> Context::settle(cuda::Status status, std::string_view call) {
  if (auto ok = check(status, call); !ok) return ok;
  return check(driver_.api().StreamSynchronize(stream_), call);
}

Result<void> Context::copy_in(std::uint64_t to, std::uint64_t memory, std::uint64_t offset,
                              std::uint64_t bytes) {
  const auto from = shared(memory, offset, bytes);
  if (!from) return tl::unexpected(from.error());
  return settle(driver_.api().MemcpyHtoDAsync(to, *from, bytes, stream_), "cuMemcpyHtoDAsync");
}

Result<void> Context::copy_out(std::uint64_t from, std::uint64_t memory, std::uint64_t offset,
                               std::uint64_t bytes) {
  const auto to = shared(memory, offset, bytes);
  if (!to) return tl::unexpected(to.error());
  return settle(driver_.api().MemcpyDtoHAsync(*to, from, bytes, stream_), "cuMemcpyDtoHAsync");
}

Result<void> Context::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  return settle(driver_.api().MemcpyDtoDAsync(to, from, bytes, stream_), "cuMemcpyDtoDAsync");
}

Result<void> Context::fill(std::uint64_t to, std::uint8_t value, std::uint64_t bytes) {
  return settle(driver_.api().MemsetD8Async(to, value, bytes, stream_), "cuMemsetD8Async");
}

Result<Numbers> Context::occupancy(const OccupancyRequest& request) {
  const auto found = function(request.module, request.function);
  if (!found) return tl::unexpected(found.error());
  int blocks = 0;
  // Above 48 KB a function has only as much as it opted in to.
  LaunchRequest launch;
  launch.dynamic_shared = request.dynamic_shared;
  if (auto ready = opt_in(launch, *found); !ready) return tl::unexpected(ready.error());
  if (auto ok = check(
          driver_.api().OccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, *found, static_cast<int>(request.block_threads), request.dynamic_shared),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
      !ok)
    return tl::unexpected(ok.error());
  return Numbers{static_cast<std::uint64_t>(blocks)};
}

}  // namespace warpbook::device::gpu
