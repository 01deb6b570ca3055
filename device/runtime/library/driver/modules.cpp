// Code that the program loads: modules and libraries of the driver API, and its linker. All of it is PTX in the end, which the
// simulator takes as it is, so that options for a compiler change nothing.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "device/runtime/library/driver/driver_api.hpp"
#include "device/runtime/library/loading.hpp"

using namespace warpbook::device::runtime;

namespace {

CUmodule module_handle(LoadedCode* code) { return reinterpret_cast<CUmodule>(code); }

JitLogs logs_of(const CUjit_option* options, void** values, unsigned count) {
  std::vector<int> numbers(options, options + (options ? count : 0));
  return JitLogs(numbers, values);
}

cudaError_t load_module(Call& call, CUmodule* module, const void* image, const JitLogs& logs) {
  LoadedCode* code = nullptr;
  if (!module || !image) return cudaErrorInvalidValue;
  if (const cudaError_t error = load_at(call, image, current_context(), code, logs)) return error;
  *module = module_handle(code);
  return cudaSuccess;
}

/// A module that belongs to this program. Error: cudaErrorInvalidResourceHandle.
cudaError_t known_code(const void* handle, LoadedCode*& code) {
  code = find_code(handle);
  return code ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t known_kernel(Call& call, const void* handle, Kernel*& kernel) {
  if (const cudaError_t error = find_kernel_handle(handle, kernel)) return error;
  return find_kernel(call, handle, kernel);  // loads what nvcc put into the program
}

template <class Handle>
cudaError_t give_kernel(const void* code_handle, const char* name, Handle* to) {
  LoadedCode* code = nullptr;
  Kernel* kernel = nullptr;
  if (!to || !name) return cudaErrorInvalidValue;
  if (const cudaError_t error = known_code(code_handle, code)) return error;
  if (const cudaError_t error = kernel_named(*code, name, kernel)) return error;
  *to = reinterpret_cast<Handle>(kernel);
  return cudaSuccess;
}

template <class Handle>
cudaError_t give_kernels(const void* code_handle, Handle* to, unsigned most) {
  LoadedCode* code = nullptr;
  if (!to) return cudaErrorInvalidValue;
  if (const cudaError_t error = known_code(code_handle, code)) return error;
  const std::size_t count = std::min<std::size_t>(most, code->kernels.size());
  for (std::size_t i = 0; i < count; ++i) to[i] = reinterpret_cast<Handle>(code->kernels[i].get());
  return cudaSuccess;
}

cudaError_t give_kernel_count(const void* code_handle, unsigned* count) {
  LoadedCode* code = nullptr;
  if (!count) return cudaErrorInvalidValue;
  if (const cudaError_t error = known_code(code_handle, code)) return error;
  *count = static_cast<unsigned>(code->kernels.size());
  return cudaSuccess;
}

cudaError_t give_variable(Call& call, const void* code_handle, const char* name,
                          CUdeviceptr* pointer, std::size_t* bytes) {
  LoadedCode* code = nullptr;
  MemoryPlace place;
  if (!name || (!pointer && !bytes)) return cudaErrorInvalidValue;
  if (const cudaError_t error = known_code(code_handle, code)) return error;
  if (const cudaError_t error = variable_named(call, *code, name, place)) return error;
  if (pointer) *pointer = place.address;
  if (bytes) *bytes = place.bytes;
  return cudaSuccess;
}

cudaError_t give_parameter(Call& call, const void* handle, std::size_t index, std::size_t* offset,
                           std::size_t* bytes) {
  Kernel* kernel = nullptr;
  if (!offset) return cudaErrorInvalidValue;
  if (const cudaError_t error = known_kernel(call, handle, kernel)) return error;
  const KernelDescription& known = *kernel->description;
  if (index >= known.parameter_bytes.size()) return cudaErrorInvalidValue;
  *offset = known.parameter_offsets[index];
  if (bytes) *bytes = known.parameter_bytes[index];
  return cudaSuccess;
}

cudaError_t give_name(Call& call, const void* handle, const char** name) {
  Kernel* kernel = nullptr;
  if (!name) return cudaErrorInvalidValue;
  if (const cudaError_t error = known_kernel(call, handle, kernel)) return error;
  *name = kernel->mangled.c_str();
  return cudaSuccess;
}

}  // namespace

// Modules

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return in_context(Function::cuModuleLoad, [&](Call& call) {
    std::string bytes;
    if (!module || !file) return cudaErrorInvalidValue;
    if (const cudaError_t error = read_image(file, bytes)) return error;
    return load_module(call, module, bytes.c_str(), {});
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return in_context(Function::cuModuleLoadData,
                    [&](Call& call) { return load_module(call, module, image, {}); });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                            CUjit_option* options, void** values) {
  return in_context(Function::cuModuleLoadDataEx, [&](Call& call) {
    if (count != 0 && (!options || !values)) return cudaErrorInvalidValue;
    return load_module(call, module, image, logs_of(options, values, count));
  });
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return in_context(Function::cuModuleLoadFatBinary,
                    [&](Call& call) { return load_module(call, module, image, {}); });
}

CUresult cuModuleUnload(CUmodule module) {
  return in_context(Function::cuModuleUnload,
                    [&](Call&) { return unload_code(find_code(module)); });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return once_initialised(Function::cuModuleGetLoadingMode, [&](Call&) {
    if (!mode) return cudaErrorInvalidValue;
    *mode = CU_MODULE_LAZY_LOADING;
    return cudaSuccess;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return in_context(Function::cuModuleGetFunction,
                    [&](Call&) { return give_kernel(module, name, function); });
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return in_context(Function::cuModuleGetFunctionCount,
                    [&](Call&) { return give_kernel_count(module, count); });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned most, CUmodule module) {
  return in_context(Function::cuModuleEnumerateFunctions,
                    [&](Call&) { return give_kernels(module, functions, most); });
}

CUresult cuModuleGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUmodule module,
                           const char* name) {
  return in_context(Function::cuModuleGetGlobal,
                    [&](Call& call) { return give_variable(call, module, name, pointer, bytes); });
}

// Libraries: code of no context

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options,
                           void** values, unsigned count, CUlibraryOption*, void**, unsigned) {
  return once_initialised(Function::cuLibraryLoadData, [&](Call& call) {
    LoadedCode* loaded = nullptr;
    if (!library || !code || (count != 0 && (!options || !values))) return cudaErrorInvalidValue;
    const JitLogs logs = logs_of(options, values, count);
    if (const cudaError_t error = load_at(call, code, nullptr, loaded, logs)) return error;
    *library = reinterpret_cast<CUlibrary>(loaded);
    return cudaSuccess;
  });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options,
                               void** values, unsigned count, CUlibraryOption*, void**, unsigned) {
  return once_initialised(Function::cuLibraryLoadFromFile, [&](Call& call) {
    LoadedCode* loaded = nullptr;
    std::string bytes;
    if (!library || !file || (count != 0 && (!options || !values))) return cudaErrorInvalidValue;
    if (const cudaError_t error = read_image(file, bytes)) return error;
    const JitLogs logs = logs_of(options, values, count);
    if (const cudaError_t error = load_at(call, bytes.c_str(), nullptr, loaded, logs)) return error;
    *library = reinterpret_cast<CUlibrary>(loaded);
    return cudaSuccess;
  });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return once_initialised(Function::cuLibraryUnload,
                          [&](Call&) { return unload_code(find_code(library)); });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return once_initialised(Function::cuLibraryGetKernel,
                          [&](Call&) { return give_kernel(library, name, kernel); });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return once_initialised(Function::cuLibraryGetKernelCount,
                          [&](Call&) { return give_kernel_count(library, count); });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned most, CUlibrary library) {
  return once_initialised(Function::cuLibraryEnumerateKernels,
                          [&](Call&) { return give_kernels(library, kernels, most); });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return in_context(Function::cuLibraryGetModule, [&](Call&) {
    LoadedCode* code = nullptr;
    if (!module) return cudaErrorInvalidValue;
    if (const cudaError_t error = known_code(library, code)) return error;
    *module = module_handle(code);
    return cudaSuccess;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUlibrary library,
                            const char* name) {
  return in_context(Function::cuLibraryGetGlobal,
                    [&](Call& call) { return give_variable(call, library, name, pointer, bytes); });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel handle) {
  return in_context(Function::cuKernelGetFunction, [&](Call& call) {
    Kernel* kernel = nullptr;
    if (!function) return cudaErrorInvalidValue;
    if (const cudaError_t error = known_kernel(call, handle, kernel)) return error;
    *function = reinterpret_cast<CUfunction>(kernel);
    return cudaSuccess;
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel handle) {
  return once_initialised(Function::cuKernelGetLibrary, [&](Call& call) {
    Kernel* kernel = nullptr;
    if (!library) return cudaErrorInvalidValue;
    if (const cudaError_t error = known_kernel(call, handle, kernel)) return error;
    LoadedCode* const code = code_of(*kernel);
    if (!code) return cudaErrorInvalidResourceHandle;
    *library = reinterpret_cast<CUlibrary>(code);
    return cudaSuccess;
  });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return once_initialised(Function::cuKernelGetName,
                          [&](Call& call) { return give_name(call, kernel, name); });
}

CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset,
                              std::size_t* bytes) {
  return once_initialised(Function::cuKernelGetParamInfo, [&](Call& call) {
    return give_parameter(call, kernel, index, offset, bytes);
  });
}

// Functions

CUresult cuFuncGetModule(CUmodule* module, CUfunction handle) {
  return in_context(Function::cuFuncGetModule, [&](Call& call) {
    Kernel* kernel = nullptr;
    if (!module) return cudaErrorInvalidValue;
    if (const cudaError_t error = known_kernel(call, handle, kernel)) return error;
    LoadedCode* const code = code_of(*kernel);
    if (!code) return cudaErrorInvalidResourceHandle;
    *module = module_handle(code);
    return cudaSuccess;
  });
}

CUresult cuFuncGetName(const char** name, CUfunction kernel) {
  return in_context(Function::cuFuncGetName,
                    [&](Call& call) { return give_name(call, kernel, name); });
}

CUresult cuFuncGetParamInfo(CUfunction kernel, std::size_t index, std::size_t* offset,
                            std::size_t* bytes) {
  return in_context(Function::cuFuncGetParamInfo,
                    [&](Call& call) { return give_parameter(call, kernel, index, offset, bytes); });
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
  return in_context(Function::cuFuncIsLoaded, [&](Call&) {
    Kernel* kernel = nullptr;
    if (!state) return cudaErrorInvalidValue;
    if (const cudaError_t error = find_kernel_handle(handle, kernel)) return error;
    *state =
        kernel->description ? CU_FUNCTION_LOADING_STATE_LOADED : CU_FUNCTION_LOADING_STATE_UNLOADED;
    return cudaSuccess;
  });
}

CUresult cuFuncLoad(CUfunction handle) {
  return in_context(Function::cuFuncLoad, [&](Call& call) {
    Kernel* kernel = nullptr;
    return known_kernel(call, handle, kernel);
  });
}

// The linker

namespace {

/// As CUlinkState points to it: images that become one.
struct Link {
  std::vector<std::string> images;
  JitLogs logs;
  std::string linked;  ///< the name under which load_at() finds the images again
};

struct Links {
  std::mutex mutex;
  std::map<const void*, std::unique_ptr<Link>> all;
};
Links& links() {
  static auto* const all = new Links;
  return *all;
}

Link* find_link(CUlinkState handle) {
  const std::lock_guard lock(links().mutex);
  const auto found = links().all.find(handle);
  return found == links().all.end() ? nullptr : found->second.get();
}

/// What the linker takes: PTX, cubins that NVRTC made, and fat binaries. Objects and archives of the host would have to be searched
/// for device code.
bool can_be_linked(CUjitInputType type) {
  return type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY || type == CU_JIT_INPUT_CUBIN;
}

cudaError_t add_to_link(CUlinkState state, CUjitInputType type, const char* bytes) {
  Link* const link = find_link(state);
  std::string image;
  if (!link) return cudaErrorInvalidResourceHandle;
  if (!can_be_linked(type)) return cudaErrorNotSupported;
  if (const cudaError_t error = image_at(bytes, image)) return error;
  link->images.push_back(std::move(image));
  return cudaSuccess;
}

}  // namespace

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return in_context(Function::cuLinkCreate, [&](Call&) {
    if (!state || (count != 0 && (!options || !values))) return cudaErrorInvalidValue;
    auto made = std::make_unique<Link>();
    made->logs = logs_of(options, values, count);
    *state = reinterpret_cast<CUlinkState>(made.get());
    const std::lock_guard lock(links().mutex);
    links().all[*state] = std::move(made);
    return cudaSuccess;
  });
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, std::size_t bytes,
                       const char*, unsigned, CUjit_option*, void**) {
  return in_context(Function::cuLinkAddData, [&](Call&) {
    if (!data || bytes == 0) return cudaErrorInvalidValue;
    // A copy, since PTX need not end with a zero here.
    const std::string image(static_cast<const char*>(data), bytes);
    return add_to_link(state, type, image.c_str());
  });
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* file, unsigned,
                       CUjit_option*, void**) {
  return in_context(Function::cuLinkAddFile, [&](Call&) {
    std::string bytes;
    if (!file) return cudaErrorInvalidValue;
    if (!can_be_linked(type)) return cudaErrorNotSupported;
    if (const cudaError_t error = read_image(file, bytes)) return error;
    return add_to_link(state, type, bytes.c_str());
  });
}

CUresult cuLinkComplete(CUlinkState state, void** cubin, std::size_t* bytes) {
  return in_context(Function::cuLinkComplete, [&](Call& call) {
    Link* const link = find_link(state);
    LoadedCode* code = nullptr;
    std::string log;
    if (!link) return cudaErrorInvalidResourceHandle;
    if (!cubin || link->images.empty()) return cudaErrorInvalidValue;
    // What is wrong is said here, though each module that is loaded from the result is linked anew.
    const cudaError_t error = load_code(call, link->images, nullptr, code, log);
    link->logs.write(log);
    if (error != cudaSuccess) return error;
    (void)unload_code(code);
    link->linked = keep_linked(link->images);
    *cubin = link->linked.data();
    if (bytes) *bytes = link->linked.size();
    return cudaSuccess;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return in_context(Function::cuLinkDestroy, [&](Call&) {
    const std::lock_guard lock(links().mutex);
    return links().all.erase(state) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
