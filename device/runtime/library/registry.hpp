// The code that nvcc put into the program: its fat binaries, kernels and variables, by the host symbols that stand for them.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/runtime/library/call.hpp"
#include "device/runtime/messages.hpp"

/// A kernel as the program names it; cudaKernel_t and, in launches, the host function stand for it.
// NOLINTNEXTLINE(readability-identifier-naming): CUDA's own name
struct CUkern_st;

namespace warpbook::device::runtime {

/// One fat binary, or several that nvcc compiled apart and that are linked here. It is loaded when something of it is used.
struct Image;
struct DeleteImage {
  void operator()(Image* image) const;
};

struct Kernel {
  Image* image = nullptr;
  std::string mangled;
  std::uint32_t index = 0;                         ///< in the loaded module
  const KernelDescription* description = nullptr;  ///< once it is loaded
  std::uint32_t shared_limit = 0;                  ///< cudaFuncAttributeMaxDynamicSharedMemorySize
};

struct Variable {
  Image* image = nullptr;
  std::string name;
  std::uint64_t bytes = 0;
};

/// The kernel of a host function or of a handle, loaded. Error: cudaErrorInvalidDeviceFunction, or why its code cannot be loaded.
cudaError_t find_kernel(Call& call, const void* function, Kernel*& kernel);
/// As find_kernel(), for the handle of a kernel alone. Error: cudaErrorInvalidResourceHandle.
cudaError_t find_kernel_handle(const void* handle, Kernel*& kernel);
/// The number of the kernel's module in requests.
std::uint32_t module_of(const Kernel& kernel);
/// The address and size of the variable for which the host symbol stands. Error: cudaErrorInvalidSymbol.
cudaError_t find_variable(Call& call, const void* symbol, MemoryPlace& place);

/// Sets an attribute of a kernel, as cudaFuncSetAttribute does (launches.cpp).
cudaError_t set_attribute(Call& call, const void* function, cudaFuncAttribute attribute, int value);

/// Code that the program loads itself: what CUmodule, CUlibrary and cudaLibrary_t point to.
struct LoadedCode {
  const Context* context =
      nullptr;  ///< with which it goes; null for libraries, which belong to no context
  std::unique_ptr<Image, DeleteImage> image;
  std::vector<std::unique_ptr<Kernel>> kernels;
};
/// The bytes of an image of which only the address is known: PTX text, a fat binary with or without its wrapper, or a cubin that
/// NVRTC made (nvrtc.hpp), which becomes the PTX it was made from. Error: cudaErrorInvalidKernelImage, and
/// cudaErrorNoKernelImageForDevice for machine code alone.
cudaError_t image_at(const void* address, std::string& image);
/// Loads images that are linked with each other. `log` is what a compiler would write into its log of errors.
cudaError_t load_code(Call& call, std::vector<std::string> images, const Context* context,
                      LoadedCode*& code, std::string& log);
cudaError_t unload_code(LoadedCode* code);
void unload_modules_of(const Context& context);
/// Null where the program has loaded no such code, or has unloaded it.
LoadedCode* find_code(const void* handle);
/// The code that a kernel is part of; null where nvcc put it into the program.
LoadedCode* code_of(const Kernel& kernel);
/// Error: cudaErrorSymbolNotFound.
cudaError_t kernel_named(const LoadedCode& code, const char* name, Kernel*& kernel);
cudaError_t variable_named(Call& call, const LoadedCode& code, const char* name,
                           MemoryPlace& place);

}  // namespace warpbook::device::runtime
