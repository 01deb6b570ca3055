// Libraries of the runtime: code that a program loads itself. The driver has the same, and the handles are the same.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "device/runtime/library/api.hpp"
#include "device/runtime/library/loading.hpp"

using namespace warpbook::device::runtime;

namespace {

/// The library of a handle. Error: cudaErrorInvalidResourceHandle.
cudaError_t known_code(cudaLibrary_t library, LoadedCode*& code) {
  code = find_code(library);
  return code ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t load_library(Call& call, cudaLibrary_t* library, const void* image,
                         const cudaJitOption* options, void** values, unsigned count) {
  LoadedCode* code = nullptr;
  if (!library || !image || (count != 0 && (!options || !values))) return cudaErrorInvalidValue;
  const JitLogs logs(std::vector<int>(options, options + count), values);
  if (const cudaError_t error = load_at(call, image, nullptr, code, logs)) return error;
  *library = reinterpret_cast<cudaLibrary_t>(code);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options,
                                void** values, unsigned count, cudaLibraryOption*, void**,
                                unsigned) {
  return traced(Function::cudaLibraryLoadData, [&](Call& call) {
    return load_library(call, library, code, options, values, count);
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file,
                                    cudaJitOption* options, void** values, unsigned count,
                                    cudaLibraryOption*, void**, unsigned) {
  return traced(Function::cudaLibraryLoadFromFile, [&](Call& call) {
    std::string bytes;
    if (!file) return cudaErrorInvalidValue;
    if (const cudaError_t error = read_image(file, bytes)) return error;
    return load_library(call, library, bytes.c_str(), options, values, count);
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return traced(Function::cudaLibraryUnload,
                [&](Call&) { return unload_code(find_code(library)); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* to, cudaLibrary_t library, const char* name) {
  return traced(Function::cudaLibraryGetKernel, [&](Call&) {
    LoadedCode* code = nullptr;
    Kernel* kernel = nullptr;
    if (!to || !name) return cudaErrorInvalidValue;
    if (const cudaError_t error = known_code(library, code)) return error;
    if (const cudaError_t error = kernel_named(*code, name, kernel)) return error;
    *to = reinterpret_cast<cudaKernel_t>(kernel);
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return traced(Function::cudaLibraryGetKernelCount, [&](Call&) {
    LoadedCode* code = nullptr;
    if (!count) return cudaErrorInvalidValue;
    if (const cudaError_t error = known_code(library, code)) return error;
    *count = static_cast<unsigned>(code->kernels.size());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned most,
                                        cudaLibrary_t library) {
  return traced(Function::cudaLibraryEnumerateKernels, [&](Call&) {
    LoadedCode* code = nullptr;
    if (!kernels) return cudaErrorInvalidValue;
    if (const cudaError_t error = known_code(library, code)) return error;
    const std::size_t count = std::min<std::size_t>(most, code->kernels.size());
    for (std::size_t i = 0; i < count; ++i)
      kernels[i] = reinterpret_cast<cudaKernel_t>(code->kernels[i].get());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return traced(Function::cudaLibraryGetGlobal, [&](Call& call) {
    LoadedCode* code = nullptr;
    MemoryPlace place;
    if (!name || (!pointer && !bytes)) return cudaErrorInvalidValue;
    if (const cudaError_t error = known_code(library, code)) return error;
    if (const cudaError_t error = variable_named(call, *code, name, place)) return error;
    if (pointer) *pointer = reinterpret_cast<void*>(place.address);
    if (bytes) *bytes = place.bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return traced(Function::cudaKernelSetAttributeForDevice, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    return set_attribute(call, kernel, attribute, value);
  });
}
