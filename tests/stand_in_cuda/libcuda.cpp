// A stand-in for NVIDIA's driver that fails as it is told to, for tests of every way in which a driver can fail. It is no GPU:
// its memory is the host's, and of kernels it knows some by name (`warpbook_self_test`, `add_one`, `say`, `read_texels`,
// `write_texels`, `describe_texture`, and the kernels of the chapter memory-spaces, wherever their weights are).
//
// What it does is written in the file `fault` beside it, one order a line; a line that begins with "once" is taken out of the
// file as it is obeyed, so that the next process does not meet it again:
//     version 12040           cuDriverGetVersion
//     absent cuLaunchKernelEx cuGetProcAddress does not find it
//     init 100                cuInit gives that; `init hang` never returns
//     devices 0               cuDeviceGetCount
//     memory 4096             bytes there are
//     jit 218 TEXT            cuModuleLoadDataEx gives that, with TEXT in its log
//     launch 701              cuLaunchKernelEx gives that, once or always
//     run 700 TEXT            a kernel runs, writes TEXT to standard error and ends with that, as does all that follows
//     run hang | run crash    a kernel never ends; the process dies of it
//     test 700 TEXT           the same, of the self-test's kernel, which "run" leaves alone
//     copy 46                 copies give that
//     array 1, texture 1, surface 1   making such a thing gives that
//     wrong                   the self-test's kernel computes something else
//     seconds 0.001           that every kernel takes by the events' clock; without: 0.0001
//     idle 0.00001            that a launch takes besides to reach a GPU that has nothing to do; without: 0
//     unasked 13              cuDeviceGetAttribute refuses that one
// It refuses what NVIDIA's refuses, as the driver API's reference has it: functions before cuInit or without a context, null
// pointers, sizes and enumerations that are none, handles that it never gave out, addresses outside of its memory.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "device/driver/cuda.hpp"
#include "tests/stand_in_cuda/kernels.hpp"

namespace {

namespace cuda = warpbook::device::gpu::cuda;
using cuda::Status;
using namespace stand_in;

constexpr int kDevice = 0;

std::filesystem::path fault_file() {
  Dl_info where{};
  ::dladdr(reinterpret_cast<void*>(&fault_file), &where);
  return std::filesystem::path(where.dli_fname).parent_path() / "fault";
}

/// What follows an order's name; nothing where it is not given. An order for once is then gone.
std::optional<std::string> order(const std::string& name) {
  std::ifstream file(fault_file());
  std::vector<std::string> kept;
  std::optional<std::string> found;
  for (std::string line; std::getline(file, line);) {
    const bool once = line.starts_with("once ");
    const std::string body = once ? line.substr(5) : line;
    if (!found && (body == name || body.starts_with(name + " "))) {
      found = body.size() > name.size() ? body.substr(name.size() + 1) : "";
      if (once) continue;
    }
    kept.push_back(line);
  }
  if (found) {
    std::ofstream out(fault_file(), std::ios::trunc);
    for (const std::string& line : kept) out << line << '\n';
  }
  return found;
}

[[noreturn]] void hang() {
  while (true) ::pause();
}

struct Event {
  double at = 0;
  bool recorded = false;
};

double clock_seconds = 0;
bool idle = true;  // since the last wait nothing was launched
bool initialised = false;
int the_context = 0;
void* current = nullptr;  // context of the only thread that calls
Status sticky = cuda::kSuccess;
std::size_t allocated = 0;
std::map<const void*, std::size_t> pinned;
std::set<void*> modules, streams, arrays;
std::set<Event*> events;

std::size_t total_memory() {
  const auto bytes = order("memory");
  return bytes ? std::stoull(*bytes) : std::size_t{1} << 30;
}

/// What stands in the way of a call that works in a context; all of it must be there.
Status unready(bool arguments_are_good = true) {
  if (!initialised) return cuda::kNotInitialised;
  if (current != &the_context) return cuda::kInvalidContext;
  if (sticky != cuda::kSuccess) return sticky;
  return arguments_are_good ? cuda::kSuccess : cuda::kInvalidValue;
}

/// Whether those bytes are in one allocation or variable.
bool holds(std::uint64_t address, std::size_t bytes) {
  const auto within = [&](std::uint64_t begin, std::size_t size) {
    return address >= begin && bytes <= size && address - begin <= size - bytes;
  };
  for (const auto& [begin, size] : blocks) {
    if (within(begin, size)) return true;
  }
  for (void* const module : modules) {
    for (const auto& [name, memory] : static_cast<Module*>(module)->globals) {
      if (within(reinterpret_cast<std::uint64_t>(memory.data()), memory.size())) return true;
    }
  }
  return false;
}

Status waited() {
  idle = true;
  return unready();
}

struct Fault {
  Status status = cuda::kSuccess;
  std::string text;
};
Fault fault_of(const std::string& words) {
  std::istringstream stream(words);
  Fault fault;
  stream >> fault.status;
  std::getline(stream >> std::ws, fault.text);
  return fault;
}

/// An object under the next handle; handles count from 1, as the driver's do.
template <class Objects, class Object>
std::uint64_t added(Objects& objects, Object object) {
  static std::uint64_t last = 0;
  objects[++last] = std::move(object);
  return last;
}

Status created(void** array, stand_in::Texels texels) {
  if (const auto words = order("array")) return std::stoi(*words);
  if (allocated + texels.all_bytes() > total_memory()) return cuda::kOutOfMemory;
  allocated += texels.all_bytes();
  *array = new stand_in::Texels(std::move(texels));
  arrays.insert(*array);
  return cuda::kSuccess;
}

Status destroyed(void* array) {
  if (const Status not_ready = unready(arrays.erase(array) == 1)) return not_ready;
  const auto* texels = static_cast<stand_in::Texels*>(array);
  allocated -= texels->all_bytes();
  delete texels;
  return sticky;
}

extern "C" {

Status cuInit(unsigned flags) {
  const auto words = order("init");
  if (!words) {
    initialised = flags == 0;
    return initialised ? cuda::kSuccess : cuda::kInvalidValue;
  }
  if (*words == "hang") hang();
  return std::stoi(*words);
}

Status cuDriverGetVersion(int* version) {
  const auto words = order("version");
  *version = words ? std::stoi(*words) : 13000;
  return cuda::kSuccess;
}

Status stand_in_GetErrorName(Status status, const char** name) {
  static const std::map<Status, const char*> names{
      {1, "CUDA_ERROR_INVALID_VALUE"},         {801, "CUDA_ERROR_NOT_SUPPORTED"},
      {2, "CUDA_ERROR_OUT_OF_MEMORY"},         {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
      {100, "CUDA_ERROR_NO_DEVICE"},           {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
      {218, "CUDA_ERROR_INVALID_PTX"},         {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},     {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
      {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},      {710, "CUDA_ERROR_ASSERT"},
      {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"}, {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
      {719, "CUDA_ERROR_LAUNCH_FAILED"}};
  const auto found = names.find(status);
  if (found == names.end()) return cuda::kInvalidValue;
  *name = found->second;
  return cuda::kSuccess;
}

Status stand_in_DeviceGetCount(int* count) {
  if (!initialised) return cuda::kNotInitialised;
  const auto words = order("devices");
  *count = words ? std::stoi(*words) : 1;
  return cuda::kSuccess;
}
Status stand_in_DeviceGet(int* device, int ordinal) {
  if (!initialised) return cuda::kNotInitialised;
  if (ordinal != 0) return cuda::kInvalidDevice;
  *device = kDevice;
  return cuda::kSuccess;
}
Status stand_in_DeviceGetName(char* name, int bytes, int device) {
  if (device != kDevice) return cuda::kInvalidDevice;
  std::snprintf(name, static_cast<std::size_t>(bytes), "Stand-in GPU");
  return cuda::kSuccess;
}
Status stand_in_DeviceGetAttribute(int* value, int attribute, int device) {
  if (device != kDevice) return cuda::kInvalidDevice;
  if (const auto refused = order("unasked"); refused && std::stoi(*refused) == attribute)
    return cuda::kNotSupported;
  static const std::map<int, int> values{{cuda::kMaxThreadsPerBlock, 1024},
                                         {cuda::kMaxBlockX, 1024},
                                         {cuda::kMaxBlockY, 1024},
                                         {cuda::kMaxBlockZ, 64},
                                         {cuda::kMaxGridX, 2147483647},
                                         {cuda::kMaxGridY, 65535},
                                         {cuda::kMaxGridZ, 65535},
                                         {cuda::kSharedPerBlock, 49152},
                                         {cuda::kConstantBytes, 65536},
                                         {cuda::kClockKhz, 1980000},
                                         {cuda::kMultiprocessors, 132},
                                         {cuda::kMemoryClockKhz, 3201000},
                                         {cuda::kMemoryBusBits, 6144},
                                         {cuda::kL2Bytes, 62914560},
                                         {cuda::kThreadsPerMultiprocessor, 2048},
                                         {cuda::kCapabilityMajor, 9},
                                         {cuda::kCapabilityMinor, 0},
                                         {cuda::kSharedPerMultiprocessor, 233472},
                                         {cuda::kRegistersPerMultiprocessor, 65536},
                                         {cuda::kSharedPerBlockOptin, 232448},
                                         {cuda::kBlocksPerMultiprocessor, 32},
                                         {cuda::kReservedSharedPerBlock, 1024},
                                         {cuda::kClusterLaunch, 1}};
  const auto found = values.find(attribute);
  if (found == values.end()) return cuda::kInvalidValue;
  *value = found->second;
  return cuda::kSuccess;
}
Status stand_in_DeviceTotalMem(std::size_t* bytes, int device) {
  if (device != kDevice) return cuda::kInvalidDevice;
  *bytes = total_memory();
  return cuda::kSuccess;
}
Status stand_in_DevicePrimaryCtxRetain(void** context, int device) {
  if (!initialised) return cuda::kNotInitialised;
  if (device != kDevice) return cuda::kInvalidDevice;
  *context = &the_context;
  return cuda::kSuccess;
}
Status stand_in_CtxSetCurrent(void* context) {
  if (context != nullptr && context != &the_context) return cuda::kInvalidContext;
  current = context;
  return cuda::kSuccess;
}
Status stand_in_CtxSetLimit(int limit, std::size_t) {
  return unready(limit == cuda::kLimitPrintfBytes);
}
Status stand_in_CtxSynchronize() { return waited(); }
/// What CUDA 13 and newer mean by that name.
// NOLINTNEXTLINE(readability-identifier-naming): the driver's own name, as of the others
Status stand_in_CtxSynchronize_v2(void* context) {
  return context == &the_context ? waited() : cuda::kInvalidContext;
}

Status stand_in_ModuleLoadDataEx(void** module, const void* image, unsigned count, int* options,
                                 void** values) {
  if (const Status not_ready = unready(module != nullptr && image != nullptr)) return not_ready;
  if (const auto words = order("jit")) {
    const Fault fault = fault_of(*words);
    std::size_t bytes = 0;
    char* log = nullptr;
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == cuda::kJitErrorLog) log = static_cast<char*>(values[i]);
      if (options[i] == cuda::kJitErrorLogBytes) bytes = reinterpret_cast<std::size_t>(values[i]);
    }
    if (log != nullptr) std::snprintf(log, bytes, "%s", fault.text.c_str());
    return fault.status;
  }
  *module = new Module{static_cast<const char*>(image), {}, {}};
  modules.insert(*module);
  return cuda::kSuccess;
}
Status stand_in_ModuleUnload(void* module) {
  if (const Status not_ready = unready(modules.erase(module) == 1)) return not_ready;
  delete static_cast<Module*>(module);
  return sticky;
}
Status stand_in_ModuleGetFunction(void** function, void* module, const char* name) {
  if (const Status not_ready = unready(modules.contains(module))) return not_ready;
  auto& m = *static_cast<Module*>(module);
  if (m.ptx.find(".entry " + std::string(name)) == std::string::npos) return cuda::kNotFound;
  *function = &(m.functions[name] = Function{name, &m});
  return cuda::kSuccess;
}
Status stand_in_ModuleGetGlobal(std::uint64_t* address, std::size_t* bytes, void* module,
                                const char* name) {
  if (const Status not_ready = unready(modules.contains(module))) return not_ready;
  auto& m = *static_cast<Module*>(module);
  if (m.ptx.find(name) == std::string::npos) return cuda::kNotFound;
  auto& memory = variable_of(m, name);
  *address = reinterpret_cast<std::uint64_t>(memory.data());
  *bytes = memory.size();
  return sticky;
}
/// Bytes of the function's own shared arrays: those of "tile[...]" in its module, which has one kernel then.
unsigned own_shared(const Function& function) {
  const std::string& ptx = function.module->ptx;
  return ptx.find(" tile[") == std::string::npos
             ? 0
             : static_cast<unsigned>(bytes_of_variable(ptx, "tile"));
}

Status stand_in_FuncGetAttribute(int* value, int attribute, void* function) {
  if (const Status not_ready = unready(function != nullptr)) return not_ready;
  switch (attribute) {
    case cuda::kFunctionRegisters: *value = 20; break;
    case cuda::kFunctionMaxThreads: *value = 1024; break;
    case cuda::kFunctionLocalBytes: *value = 0; break;
    case cuda::kFunctionStaticShared:
      *value = static_cast<int>(own_shared(*static_cast<Function*>(function)));
      break;
    default: return cuda::kInvalidValue;
  }
  return cuda::kSuccess;
}
Status stand_in_FuncSetAttribute(void* function, int attribute, int value) {
  if (const Status not_ready = unready(function != nullptr)) return not_ready;
  auto& f = *static_cast<Function*>(function);
  const bool good = attribute == cuda::kFunctionMaxDynamicShared && value >= 0 &&
                    own_shared(f) + static_cast<unsigned>(value) <= kMostShared;
  if (!good) return cuda::kInvalidValue;
  f.most_dynamic = own_shared(f) + static_cast<unsigned>(value);
  return cuda::kSuccess;
}

/// What the driver checks of a launch before it is queued.
bool can_launch(const cuda::LaunchConfig& c, const Function& function, void** parameters,
                void** extra) {
  const auto inside = [](unsigned extent, unsigned most) { return extent >= 1 && extent <= most; };
  if (!inside(c.grid_x, 2147483647) || !inside(c.grid_y, 65535) || !inside(c.grid_z, 65535))
    return false;
  if (!inside(c.block_x, 1024) || !inside(c.block_y, 1024) || !inside(c.block_z, 64) ||
      c.block_x * c.block_y * c.block_z > 1024)
    return false;
  if (own_shared(function) + c.dynamic_shared > std::max(kFreeShared, function.most_dynamic))
    return false;
  if (!streams.contains(c.stream) || (c.attribute_count > 0 && c.attributes == nullptr))
    return false;
  for (unsigned i = 0; i < c.attribute_count; ++i) {
    const cuda::LaunchAttribute& a = c.attributes[i];
    if (a.id == cuda::LaunchAttribute::kCooperative) continue;
    if (a.id != cuda::LaunchAttribute::kClusterDimension) return false;
    const auto& cluster = a.value.cluster;
    if (cluster.x * cluster.y * cluster.z == 0 || c.grid_x % cluster.x != 0 ||
        c.grid_y % cluster.y != 0 || c.grid_z % cluster.z != 0)
      return false;
  }
  if (extra == nullptr) return true;
  const auto is = [&](std::size_t i, std::uintptr_t word) {
    return reinterpret_cast<std::uintptr_t>(extra[i]) == word;
  };
  return parameters == nullptr && is(0, cuda::kParameterBuffer) && extra[1] != nullptr &&
         is(2, cuda::kParameterBytes) && extra[3] != nullptr && is(4, cuda::kParameterEnd);
}

Status stand_in_LaunchKernelEx(const cuda::LaunchConfig* config, void* function, void** parameters,
                               void** extra) {
  if (const Status not_ready = unready(config != nullptr && function != nullptr)) return not_ready;
  if (!can_launch(*config, *static_cast<Function*>(function), parameters, extra))
    return cuda::kInvalidValue;
  if (const auto words = order("launch")) return std::stoi(*words);
  const std::string& name = static_cast<Function*>(function)->name;
  const auto words = order(name == "warpbook_self_test" ? "test" : "run");
  if (words && *words == "hang") hang();
  if (words && *words == "crash") ::raise(SIGSEGV);
  if (words) {
    const Fault fault = fault_of(*words);
    sticky = fault.status;
    if (!fault.text.empty()) std::fprintf(stderr, "%s\n", fault.text.c_str());
    return cuda::kSuccess;
  }
  const char* const packed = extra == nullptr ? nullptr : static_cast<const char*>(extra[1]);
  run_by_name(*static_cast<Function*>(function), config->grid_x, packed,
              order("wrong").has_value());
  const auto seconds = order("seconds"), way = order("idle");
  clock_seconds += seconds ? std::stod(*seconds) : 1e-4;
  if (idle && way) clock_seconds += std::stod(*way);
  idle = false;
  return cuda::kSuccess;
}

Status stand_in_OccupancyMaxActiveBlocksPerMultiprocessor(int* count, void* function, int threads,
                                                          std::size_t) {
  if (const Status not_ready = unready(function != nullptr && threads > 0)) return not_ready;
  *count = 2048 / std::max(threads, 64);
  return cuda::kSuccess;
}

Status stand_in_MemGetInfo(std::size_t* free, std::size_t* total) {
  *total = total_memory();
  *free = *total - std::min(*total, allocated);
  return unready();
}
Status stand_in_MemAlloc(std::uint64_t* address, std::size_t bytes) {
  if (const Status not_ready = unready(bytes > 0)) return not_ready;
  if (allocated + bytes > total_memory()) return cuda::kOutOfMemory;
  *address = reinterpret_cast<std::uint64_t>(std::aligned_alloc(512, (bytes + 511) / 512 * 512));
  blocks[*address] = bytes;
  allocated += bytes;
  return cuda::kSuccess;
}
Status stand_in_MemFree(std::uint64_t address) {
  const auto found = blocks.find(address);
  if (const Status not_ready = unready(found != blocks.end())) return not_ready;
  allocated -= found->second;
  blocks.erase(found);
  std::free(reinterpret_cast<void*>(address));
  return cuda::kSuccess;
}
Status stand_in_MemHostRegister(void* memory, std::size_t bytes, unsigned flags) {
  if (const Status not_ready = unready(memory != nullptr && bytes > 0 && flags == 0))
    return not_ready;
  return pinned.emplace(memory, bytes).second ? cuda::kSuccess : cuda::kAlreadyPinned;
}
Status stand_in_MemHostUnregister(void* memory) {
  if (const Status not_ready = unready()) return not_ready;
  return pinned.erase(memory) == 1 ? cuda::kSuccess : cuda::kNotPinned;
}

Status copied(void* to, const void* from, std::size_t bytes) {
  if (const auto words = order("copy")) sticky = std::stoi(*words);
  if (sticky == cuda::kSuccess) std::memcpy(to, from, bytes);
  return sticky;
}
Status stand_in_MemcpyHtoDAsync(std::uint64_t to, const void* from, std::size_t bytes,
                                void* stream) {
  if (const Status not_ready = unready(holds(to, bytes) && streams.contains(stream)))
    return not_ready;
  return copied(reinterpret_cast<void*>(to), from, bytes);
}
Status stand_in_MemcpyDtoHAsync(void* to, std::uint64_t from, std::size_t bytes, void* stream) {
  if (const Status not_ready = unready(holds(from, bytes) && streams.contains(stream)))
    return not_ready;
  return copied(to, reinterpret_cast<void*>(from), bytes);
}
Status stand_in_MemcpyDtoDAsync(std::uint64_t to, std::uint64_t from, std::size_t bytes,
                                void* stream) {
  if (const Status not_ready =
          unready(holds(to, bytes) && holds(from, bytes) && streams.contains(stream)))
    return not_ready;
  return copied(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
}
Status stand_in_MemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes,
                              void* stream) {
  if (const Status not_ready = unready(holds(to, bytes) && streams.contains(stream)))
    return not_ready;
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return cuda::kSuccess;
}

Status stand_in_Array3DCreate(void** array, const cuda::ArrayDescriptor* description) {
  if (const Status not_ready = unready(stand_in::is_array(*description))) return not_ready;
  return created(array, stand_in::texels_of(*description));
}
Status stand_in_ArrayDestroy(void* array) { return destroyed(array); }
Status stand_in_MipmappedArrayCreate(void** array, const cuda::ArrayDescriptor* description,
                                     unsigned levels) {
  if (const Status not_ready = unready(stand_in::is_array(*description) && levels >= 1 &&
                                       levels <= stand_in::most_levels(*description)))
    return not_ready;
  return created(array, stand_in::mipmapped_texels(*description, levels));
}
Status stand_in_MipmappedArrayGetLevel(void** level_array, void* array, unsigned level) {
  if (const Status not_ready = unready(arrays.contains(array))) return not_ready;
  auto& levels = static_cast<stand_in::Texels*>(array)->levels;
  if (level >= levels.size()) return cuda::kInvalidValue;
  *level_array = &levels[level];
  return cuda::kSuccess;
}
Status stand_in_MipmappedArrayDestroy(void* array) { return destroyed(array); }
Status stand_in_Memcpy3DAsync(const cuda::Copy3D* copy, void* stream) {
  if (const Status not_ready = unready(streams.contains(stream))) return not_ready;
  if (const auto words = order("copy")) sticky = std::stoi(*words);
  if (sticky != cuda::kSuccess) return sticky;
  return stand_in::copy_box(*copy) ? cuda::kSuccess : cuda::kInvalidValue;
}
Status stand_in_TexObjectCreate(std::uint64_t* handle, const cuda::ResourceDescriptor* memory,
                                const cuda::TextureDescriptor* reading, const void* view) {
  const bool of_array =
      memory->kind == cuda::kResourceArray || memory->kind == cuda::kResourceMipmapped;
  const bool good = view == nullptr && stand_in::can_read(*memory, *reading) &&
                    (!of_array || arrays.contains(memory->array));
  if (const Status not_ready = unready(good)) return not_ready;
  if (const auto words = order("texture")) return std::stoi(*words);
  *handle = added(textures, stand_in::TextureObject{*memory, *reading});
  return cuda::kSuccess;
}
Status stand_in_TexObjectDestroy(std::uint64_t handle) {
  return unready(textures.erase(handle) == 1);
}
Status stand_in_SurfObjectCreate(std::uint64_t* handle, const cuda::ResourceDescriptor* memory) {
  if (const Status not_ready = unready(memory->kind == cuda::kResourceArray && memory->flags == 0))
    return not_ready;
  if (const auto words = order("surface")) return std::stoi(*words);
  auto* const texels = static_cast<stand_in::Texels*>(memory->array);
  if ((texels->descriptor.flags & cuda::kArraySurface) == 0) return cuda::kInvalidValue;
  *handle = added(surfaces, texels);
  return cuda::kSuccess;
}
Status stand_in_SurfObjectDestroy(std::uint64_t handle) {
  return unready(surfaces.erase(handle) == 1);
}

Status stand_in_StreamCreate(void** stream, unsigned flags) {
  static int the_stream = 0;
  if (const Status not_ready = unready(flags <= cuda::kStreamNonBlocking)) return not_ready;
  *stream = &the_stream;
  streams.insert(*stream);
  return cuda::kSuccess;
}
Status stand_in_StreamSynchronize(void* stream) {
  return streams.contains(stream) ? waited() : cuda::kInvalidHandle;
}
Status stand_in_EventCreate(void** event, unsigned flags) {
  // Those that keep no time, or are for other processes, are not for us.
  if (const Status not_ready = unready(flags <= cuda::kEventBlockingSync)) return not_ready;
  auto* const made = new Event;
  events.insert(made);
  *event = made;
  return cuda::kSuccess;
}
Status stand_in_EventRecord(void* event, void* stream) {
  auto* const e = static_cast<Event*>(event);
  if (!events.contains(e) || !streams.contains(stream)) return cuda::kInvalidHandle;
  if (const Status not_ready = unready(); not_ready != cuda::kSuccess && not_ready != sticky)
    return not_ready;
  *e = {clock_seconds, true};
  return cuda::kSuccess;
}
Status stand_in_EventSynchronize(void* event) {
  return events.contains(static_cast<Event*>(event)) ? waited() : cuda::kInvalidHandle;
}
Status stand_in_EventElapsedTime(float* milliseconds, void* begin, void* end) {
  const auto* const from = static_cast<Event*>(begin);
  const auto* const to = static_cast<Event*>(end);
  if (!from->recorded || !to->recorded) return cuda::kInvalidHandle;
  *milliseconds = static_cast<float>(1e3 * (to->at - from->at));
  return unready();
}

/// Gives the form of a function that `cuda` had.
Status cuGetProcAddress_v2(const char* name, void** function, int cuda, std::uint64_t flags,
                           int* state) {
  constexpr int kTooNew = 2;  // CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
  int served = 0;
  (void)cuDriverGetVersion(&served);
  if (cuda > served || flags != 0) return cuda::kInvalidValue;
  if (const auto absent = order("absent"); absent && *absent == name) return cuda::kNotFound;
  if (std::strcmp(name, "cuCtxSynchronize") == 0 && cuda >= 13000) {
    *function = reinterpret_cast<void*>(&stand_in_CtxSynchronize_v2);
    return cuda::kSuccess;
  }
#define WARPBOOK_CUDA_DRIVER(entry, version, parameters)                                 \
  if (std::strcmp(name, "cu" #entry) == 0) {                                             \
    *function = cuda < (version) ? nullptr : reinterpret_cast<void*>(&stand_in_##entry); \
    *state = cuda < (version) ? kTooNew : 0;                                             \
    return cuda::kSuccess;                                                               \
  }
#include "device/driver/driver_api.inc"
#undef WARPBOOK_CUDA_DRIVER
  return cuda::kNotFound;
}

}  // extern "C"
}  // namespace
