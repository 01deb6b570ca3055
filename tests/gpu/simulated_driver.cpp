// A driver that computes on the simulator, for tests/gpu/run_test: what only a GPU shows is then run from its first line to its
// last where there is none. Its libcuda.so.1 (tests/simulated_cuda) asks the test program, which is the worker too, for these.
// One context, one stream, and a clock that says kSecondsOfLaunch for each launch.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/driver/cuda.hpp"
#include "device/occupancy.hpp"

extern "C" {
/// The function of that name; null where there is none.
void* warpbook_simulated_driver(const char* name);
}

namespace {

using namespace warpbook::device;
namespace cuda = warpbook::device::gpu::cuda;
using cuda::Status;

constexpr double kSecondsOfLaunch = 0.01;
constexpr std::uint32_t kRegisters = 32;
constexpr std::uint64_t kL2Bytes = (1u << 20) + 4096;  // little, so that little data rotates

struct LoadedModule;
struct Function {
  LoadedModule* module = nullptr;
  const KernelInfo* kernel = nullptr;
};
struct LoadedModule {
  std::shared_ptr<const Module> module;
  std::map<std::string, Function> functions;
};
struct LevelOfArray {
  Array array;
  std::uint32_t level = 0;
  ArrayDescription description;
};

double now = 0;
Status sticky = cuda::kSuccess;

Device& gpu() {
  static const auto device = [] {
    Properties p = *find_gpu("h200");
    p.name = "NVIDIA H200";
    p.l2_bytes = kL2Bytes;
    return make_simulated_device(p);
  }();
  return *device;
}

Status status_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::out_of_memory: return cuda::kOutOfMemory;
    case ErrorCode::launch_out_of_resources: return cuda::kLaunchOutOfResources;
    case ErrorCode::cooperative_too_large: return cuda::kCooperativeLaunchTooLarge;
    case ErrorCode::invalid_cluster: return cuda::kInvalidClusterSize;
    case ErrorCode::misaligned_access: return cuda::kMisalignedAddress;
    case ErrorCode::assertion: return cuda::kAssert;
    case ErrorCode::trap: return cuda::kLaunchFailed;
    case ErrorCode::wild_access:
    case ErrorCode::null_access:
    case ErrorCode::out_of_bounds_read:
    case ErrorCode::out_of_bounds_write: return cuda::kIllegalAddress;
    default: return cuda::kInvalidValue;
  }
}

template <class T>
Status done(const Expected<T>& result) {
  return result ? sticky : status_of(result.error());
}

/// As a driver writes of it; the first thread of the first block is as good as any.
void say_assertion(const Error& error) {
  std::string text;
  for (const auto& [key, value] : error.arguments) {
    if (key == "text") text = value.text;
  }
  std::fprintf(stderr, "%s:%u: k: block: [0,0,0], thread: [0,0,0] Assertion `%s` failed.\n",
               error.place.file.c_str(), error.place.line, text.c_str());
}

ElementType type_of(int format) {
  switch (format) {
    case cuda::kUnsigned8: return ElementType::u8;
    case cuda::kUnsigned16: return ElementType::u16;
    case cuda::kUnsigned32: return ElementType::u32;
    case cuda::kSigned8: return ElementType::i8;
    case cuda::kSigned16: return ElementType::i16;
    case cuda::kSigned32: return ElementType::i32;
    case cuda::kHalf: return ElementType::f16;
    default: return ElementType::f32;
  }
}

Status create_array(void** array, const cuda::ArrayDescriptor& d, unsigned levels) {
  ArrayDescription description{"array",
                               {type_of(d.format), d.channels},
                               static_cast<std::uint32_t>(d.width),
                               static_cast<std::uint32_t>(d.height),
                               static_cast<std::uint32_t>(d.depth)};
  description.layered = (d.flags & cuda::kArrayLayered) != 0;
  description.cubemap = (d.flags & cuda::kArrayCubemap) != 0;
  description.surface = (d.flags & cuda::kArraySurface) != 0;
  description.levels = levels;
  const auto made = gpu().create_array(description);
  if (made) *array = new LevelOfArray{*made, 0, description};
  return done(made);
}

Status destroy_array(void* array) {
  auto* const own = static_cast<LevelOfArray*>(array);
  const auto destroyed = gpu().destroy(own->array);
  delete own;
  return done(destroyed);
}

/// Rows of host memory to or from a box of an array.
Status copy_box(const cuda::Copy3D& order) {
  const bool in = order.to.kind == cuda::kMemoryArray;
  const cuda::Copy3D::End& texels = in ? order.to : order.from;
  const cuda::Copy3D::End& rows = in ? order.from : order.to;
  const auto& own = *static_cast<const LevelOfArray*>(texels.array);
  const std::uint32_t texel = own.description.format.bytes();
  ArrayRegion box;
  box.level = own.level;
  box.x = static_cast<std::uint32_t>(texels.x_bytes / texel);
  box.y = static_cast<std::uint32_t>(texels.y);
  box.z = static_cast<std::uint32_t>(texels.z);
  box.width = static_cast<std::uint32_t>(order.width_bytes / texel);
  box.height = static_cast<std::uint32_t>(order.height);
  box.depth = static_cast<std::uint32_t>(order.depth);
  auto* const host = static_cast<std::byte*>(rows.host);
  const std::size_t bytes = order.width_bytes * order.height * order.depth;
  if (in) return done(gpu().copy_in_array(own.array, {host, bytes}, box).wait());
  return done(gpu().copy_out_array({host, bytes}, own.array, box).wait());
}

TextureDescription description_of(const cuda::ResourceDescriptor& memory,
                                  const cuda::TextureDescriptor& how) {
  TextureDescription d;
  if (memory.kind == cuda::kResourceLinear) {
    d.address = memory.linear.address;
    d.format = {type_of(memory.linear.format), memory.linear.channels};
    d.bytes = memory.linear.bytes;
  } else if (memory.kind == cuda::kResourcePitched) {
    d.address = memory.pitched.address;
    d.format = {type_of(memory.pitched.format), memory.pitched.channels};
    d.width = static_cast<std::uint32_t>(memory.pitched.width);
    d.height = static_cast<std::uint32_t>(memory.pitched.height);
    d.pitch_bytes = memory.pitched.pitch_bytes;
  } else {
    const auto& own = *static_cast<const LevelOfArray*>(memory.array);
    d.array = own.array;
    d.format = own.description.format;
  }
  for (std::size_t i = 0; i < d.address_mode.size(); ++i)
    d.address_mode[i] = static_cast<AddressMode>(how.address_mode[i]);
  d.linear_filter = how.filter == cuda::kFilterLinear;
  d.linear_mip_filter = how.mip_filter == cuda::kFilterLinear;
  const bool floats = d.format.type == ElementType::f32 || d.format.type == ElementType::f16;
  d.normalised_read = !floats && (how.flags & cuda::kReadAsInteger) == 0;
  d.normalised_coordinates = (how.flags & cuda::kNormalisedCoordinates) != 0;
  d.srgb = (how.flags & cuda::kSrgb) != 0;
  d.mip_bias = how.mip_bias;
  d.mip_least = how.mip_least;
  d.mip_most = how.mip_most;
  std::copy(std::begin(how.border), std::end(how.border), d.border.begin());
  return d;
}

/// The parameters of a launch, apart again; empty where they are not as many bytes as the kernel takes.
std::vector<Argument> arguments_of(const KernelInfo& kernel, void** extra) {
  std::vector<Argument> arguments;
  const auto* const packed = extra == nullptr ? nullptr : static_cast<const std::byte*>(extra[1]);
  const std::size_t bytes = extra == nullptr ? 0 : *static_cast<const std::size_t*>(extra[3]);
  std::size_t at = 0;
  for (const ParameterInfo& p : kernel.parameters) {
    const std::size_t alignment = p.alignment == 0 ? 1 : p.alignment;
    at = (at + alignment - 1) / alignment * alignment;
    if (at + p.bytes > bytes) return {};
    arguments.push_back(Argument::structure({packed + at, packed + at + p.bytes}));
    at += p.bytes;
  }
  return at == bytes ? arguments : std::vector<Argument>();
}

void read_attributes(const cuda::LaunchConfig& config, Launch& launch) {
  for (unsigned i = 0; i < config.attribute_count; ++i) {
    const cuda::LaunchAttribute& attribute = config.attributes[i];
    if (attribute.id == cuda::LaunchAttribute::kCooperative) launch.cooperative = true;
    if (attribute.id == cuda::LaunchAttribute::kClusterDimension) {
      const auto& cluster = attribute.value.cluster;
      launch.cluster = {cluster.x, cluster.y, cluster.z};
    }
  }
}

Status sim_GetErrorName(Status status, const char** name) {
  static std::string text;
  text = "status " + std::to_string(status);
  *name = text.c_str();
  return cuda::kSuccess;
}
Status sim_DeviceGetCount(int* count) {
  *count = 1;
  return cuda::kSuccess;
}
Status sim_DeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? cuda::kSuccess : cuda::kInvalidDevice;
}
Status sim_DeviceGetName(char* name, int bytes, int) {
  std::snprintf(name, static_cast<std::size_t>(bytes), "%s", gpu().properties().name.c_str());
  return cuda::kSuccess;
}
Status sim_DeviceGetAttribute(int* value, int attribute, int) {
  const Properties& p = gpu().properties();
  const std::map<int, std::uint64_t> values{
      {cuda::kMaxThreadsPerBlock, p.max_threads_per_block},
      {cuda::kMaxBlockX, p.max_block.x},
      {cuda::kMaxBlockY, p.max_block.y},
      {cuda::kMaxBlockZ, p.max_block.z},
      {cuda::kMaxGridX, p.max_grid.x},
      {cuda::kMaxGridY, p.max_grid.y},
      {cuda::kMaxGridZ, p.max_grid.z},
      {cuda::kSharedPerBlock, p.shared_per_block},
      {cuda::kConstantBytes, p.constant_bytes},
      {cuda::kClockKhz, p.clock_khz},
      {cuda::kMultiprocessors, p.multiprocessors},
      {cuda::kMemoryClockKhz, p.memory_clock_khz},
      {cuda::kMemoryBusBits, p.memory_bus_bits},
      {cuda::kL2Bytes, p.l2_bytes},
      {cuda::kThreadsPerMultiprocessor, p.max_threads_per_multiprocessor},
      {cuda::kCapabilityMajor, static_cast<std::uint64_t>(p.compute_capability / 10)},
      {cuda::kCapabilityMinor, static_cast<std::uint64_t>(p.compute_capability % 10)},
      {cuda::kSharedPerMultiprocessor, p.shared_per_multiprocessor},
      {cuda::kRegistersPerMultiprocessor, p.registers_per_multiprocessor},
      {cuda::kSharedPerBlockOptin, p.shared_per_block_optin},
      {cuda::kBlocksPerMultiprocessor, p.max_blocks_per_multiprocessor},
      {cuda::kReservedSharedPerBlock, p.reserved_shared_per_block},
      {cuda::kClusterLaunch, p.max_cluster_blocks != 0 ? 1 : 0}};
  const auto found = values.find(attribute);
  if (found == values.end()) return cuda::kInvalidValue;
  *value = static_cast<int>(found->second);
  return cuda::kSuccess;
}
Status sim_DeviceTotalMem(std::size_t* bytes, int) {
  *bytes = gpu().properties().global_bytes;
  return cuda::kSuccess;
}
Status sim_DevicePrimaryCtxRetain(void** context, int) {
  *context = &now;
  return cuda::kSuccess;
}
Status sim_CtxSetCurrent(void*) { return cuda::kSuccess; }
Status sim_CtxSetLimit(int, std::size_t) { return cuda::kSuccess; }
Status sim_CtxSynchronize() { return sticky; }

Status sim_ModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
  auto program = std::make_shared<Program>();
  program->name = "module.ptx";
  program->ptx = static_cast<const char*>(image);
  const auto loaded = gpu().load(std::move(program));
  if (!loaded) return cuda::kInvalidPtx;
  *module = new LoadedModule{*loaded, {}};
  return sticky;
}
Status sim_ModuleUnload(void* module) {
  delete static_cast<LoadedModule*>(module);
  return sticky;
}
Status sim_ModuleGetFunction(void** function, void* module, const char* name) {
  auto& m = *static_cast<LoadedModule*>(module);
  const auto found = m.module->kernel(name);
  if (!found) return cuda::kNotFound;
  *function = &(m.functions[name] = Function{&m, *found});
  return sticky;
}
Status sim_ModuleGetGlobal(std::uint64_t* address, std::size_t* bytes, void* module,
                           const char* name) {
  const auto found = gpu().global(*static_cast<LoadedModule*>(module)->module, name);
  if (!found) return cuda::kNotFound;
  *address = found->address;
  *bytes = found->bytes;
  return sticky;
}
Status sim_FuncGetAttribute(int* value, int attribute, void* function) {
  const KernelInfo& kernel = *static_cast<Function*>(function)->kernel;
  switch (attribute) {
    case cuda::kFunctionRegisters: *value = kRegisters; break;
    case cuda::kFunctionStaticShared: *value = static_cast<int>(kernel.static_shared); break;
    case cuda::kFunctionLocalBytes: *value = static_cast<int>(kernel.local_bytes); break;
    case cuda::kFunctionMaxThreads:
      *value = kernel.max_threads == 0 ? 1024 : static_cast<int>(kernel.max_threads);
      break;
    default: return cuda::kInvalidValue;
  }
  return sticky;
}
Status sim_FuncSetAttribute(void*, int, int) { return sticky; }

Status sim_LaunchKernelEx(const cuda::LaunchConfig* config, void* function, void**, void** extra) {
  if (sticky != cuda::kSuccess) return sticky;
  const auto& f = *static_cast<Function*>(function);
  Launch launch;
  launch.module = f.module->module;
  launch.kernel = f.kernel->mangled;
  launch.grid = {config->grid_x, config->grid_y, config->grid_z};
  launch.block = {config->block_x, config->block_y, config->block_z};
  launch.dynamic_shared = config->dynamic_shared;
  read_attributes(*config, launch);
  launch.arguments = arguments_of(*f.kernel, extra);
  launch.observe.counters = false;
  launch.observe.initcheck = false;  // a GPU reads what stands there
  const auto record = gpu().launch(std::move(launch)).wait();
  if (!record) return status_of(record.error());
  std::fputs((*record)->output.c_str(), stdout);
  now += kSecondsOfLaunch;
  if (const auto& error = (*record)->error) {
    // The simulator sees what a GPU does not: that a kernel will not end.
    while (error->code == ErrorCode::deadlock || error->code == ErrorCode::budget_instructions)
      ::pause();
    sticky = status_of(*error);
    if (error->code == ErrorCode::assertion) say_assertion(*error);
  }
  return cuda::kSuccess;
}

Status sim_OccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads,
                                                     std::size_t dynamic) {
  const KernelInfo& kernel = *static_cast<Function*>(function)->kernel;
  const Occupancy found = occupancy_of(
      gpu().properties(), {.threads = static_cast<std::uint32_t>(threads),
                           .registers = kRegisters,
                           .shared = kernel.static_shared + static_cast<std::uint32_t>(dynamic)});
  *blocks = static_cast<int>(found.blocks);
  return sticky;
}

Status sim_MemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = gpu().properties().global_bytes;
  return sticky;
}
Status sim_MemAlloc(std::uint64_t* address, std::size_t bytes) {
  const auto made = gpu().allocate("memory", ElementType::u8, bytes);
  if (made) *address = *made;
  return done(made);
}
Status sim_MemFree(std::uint64_t address) { return done(gpu().release(address)); }
Status sim_MemHostRegister(void*, std::size_t, unsigned) { return sticky; }
Status sim_MemHostUnregister(void*) { return sticky; }
Status sim_MemcpyHtoDAsync(std::uint64_t to, const void* from, std::size_t bytes, void*) {
  return done(gpu().copy_in(to, {static_cast<const std::byte*>(from), bytes}).wait());
}
Status sim_MemcpyDtoHAsync(void* to, std::uint64_t from, std::size_t bytes, void*) {
  return done(gpu().copy_out({static_cast<std::byte*>(to), bytes}, from).wait());
}
Status sim_MemcpyDtoDAsync(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
  return done(gpu().copy(to, from, bytes).wait());
}
Status sim_MemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes, void*) {
  return done(gpu().fill(to, std::byte{value}, bytes).wait());
}

Status sim_Array3DCreate(void** array, const cuda::ArrayDescriptor* description) {
  return create_array(array, *description, 0);
}
Status sim_ArrayDestroy(void* array) { return destroy_array(array); }
Status sim_MipmappedArrayCreate(void** array, const cuda::ArrayDescriptor* description,
                                unsigned levels) {
  return create_array(array, *description, levels);
}
Status sim_MipmappedArrayGetLevel(void** level_array, void* array, unsigned level) {
  static std::map<std::pair<void*, unsigned>, LevelOfArray> levels;
  LevelOfArray& of_level = levels[{array, level}];
  of_level = *static_cast<LevelOfArray*>(array);
  of_level.level = level;
  *level_array = &of_level;
  return sticky;
}
Status sim_MipmappedArrayDestroy(void* array) { return destroy_array(array); }
Status sim_Memcpy3DAsync(const cuda::Copy3D* copy, void*) { return copy_box(*copy); }
Status sim_TexObjectCreate(std::uint64_t* handle, const cuda::ResourceDescriptor* memory,
                           const cuda::TextureDescriptor* reading, const void*) {
  const auto made = gpu().create_texture(description_of(*memory, *reading));
  if (made) *handle = made->handle;
  return done(made);
}
Status sim_TexObjectDestroy(std::uint64_t handle) { return done(gpu().destroy(Texture{handle})); }
Status sim_SurfObjectCreate(std::uint64_t* handle, const cuda::ResourceDescriptor* memory) {
  const auto& own = *static_cast<const LevelOfArray*>(memory->array);
  const auto made = gpu().create_surface(own.array, own.level);
  if (made) *handle = made->handle;
  return done(made);
}
Status sim_SurfObjectDestroy(std::uint64_t handle) { return done(gpu().destroy(Surface{handle})); }

Status sim_StreamCreate(void** stream, unsigned) {
  *stream = &sticky;
  return sticky;
}
Status sim_StreamSynchronize(void*) { return sticky; }
Status sim_EventCreate(void** event, unsigned) {
  *event = new double(0);
  return sticky;
}
Status sim_EventRecord(void* event, void*) {
  *static_cast<double*>(event) = now;
  return cuda::kSuccess;
}
Status sim_EventSynchronize(void*) { return sticky; }
Status sim_EventElapsedTime(float* milliseconds, void* begin, void* end) {
  *milliseconds =
      static_cast<float>(1e3 * (*static_cast<double*>(end) - *static_cast<double*>(begin)));
  return sticky;
}

}  // namespace

void* warpbook_simulated_driver(const char* name) {
#define WARPBOOK_CUDA_DRIVER(entry, version, parameters) \
  if (std::strcmp(name, "cu" #entry) == 0) return reinterpret_cast<void*>(&sim_##entry);
#include "device/driver/driver_api.inc"
#undef WARPBOOK_CUDA_DRIVER
  return nullptr;
}
