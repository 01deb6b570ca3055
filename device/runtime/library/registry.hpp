// The code that nvcc put into the program: its fat binaries, kernels and variables, by the host symbols that stand for them.
#pragma once

#include <driver_types.h>

#include <cstdint>
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
/// The number of the kernel's module in requests.
std::uint32_t module_of(const Kernel& kernel);
/// The address and size of the variable for which the host symbol stands. Error: cudaErrorInvalidSymbol.
cudaError_t find_variable(Call& call, const void* symbol, Place& place);

}  // namespace warpbook::device::runtime
