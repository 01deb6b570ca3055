#include "device/runtime/library/registry.hpp"

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include <cuda_runtime_api.h>

namespace warpbook::device::runtime {

/// A managed variable: the program reads its address from `pointer`, after __cudaInitModule.
struct ManagedVariable {
  void** pointer = nullptr;
  std::string name;
};

struct Image {
  std::vector<const void*> binaries;
  std::vector<ManagedVariable> managed;
  std::optional<cudaError_t> loaded;
  std::uint32_t module = 0;
  std::vector<KernelDescription> kernels;
};

namespace {

/// What __cudaRegisterFatBinary is given (fatbinary_section.h: __fatBinC_Wrapper_t).
struct Wrapper {
  std::int32_t magic = 0, version = 0;
  const void* data = nullptr;
  void* prelinked = nullptr;
};

struct Registry {
  std::recursive_mutex mutex;
  std::vector<std::unique_ptr<Image>> images;
  std::map<const void*, Kernel> kernels;
  std::map<const void*, Variable> variables;
  Image* linked = nullptr;  ///< of all binaries that were compiled apart
};

Registry& registry() {
  // Never destroyed: fat binaries are unregistered after everything else of the program.
  static auto* const all = new Registry;
  return *all;
}

std::string bytes_of(const void* binary) {
  // The header says how long it is itself and how much follows (device/runtime/fat_binary.cpp).
  std::uint16_t header = 0;
  std::uint64_t rest = 0;
  const auto* at = static_cast<const char*>(binary);
  std::memcpy(&header, at + 6, sizeof header);
  std::memcpy(&rest, at + 8, sizeof rest);
  return {at, header + rest};
}

cudaError_t load(Call& call, Image& image) {
  if (image.loaded) return *image.loaded;
  Load request;
  for (const void* binary : image.binaries) request.images.push_back(bytes_of(binary));
  auto loaded = call.session.ask(std::move(request));
  if (!loaded) return cudaErrorInitializationError;
  image.module = loaded->module;
  image.kernels = std::move(loaded->kernels);
  image.loaded = static_cast<cudaError_t>(loaded->error);
  for (const ManagedVariable& variable : image.managed) {
    const auto place = call.session.ask(FindVariable{image.module, variable.name});
    if (!place || place->error != 0) continue;
    call.session.open_pages(place->address, place->bytes, true);
    call.session.add(place->address, {place->bytes, MemoryKind::managed, 0, 0, nullptr});
    *variable.pointer = reinterpret_cast<void*>(place->address);
  }
  return *image.loaded;
}

Image& image_of(void** handle) { return *reinterpret_cast<Image*>(handle); }

}  // namespace

cudaError_t find_kernel(Call& call, const void* function, Kernel*& kernel) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.kernels.find(function);
  if (found == all.kernels.end()) {
    // A handle that cudaGetKernel gave is the Kernel itself.
    kernel = nullptr;
    for (auto& [host, registered] : all.kernels) {
      if (&registered == function) kernel = &registered;
    }
    if (!kernel) return cudaErrorInvalidDeviceFunction;
  } else {
    kernel = &found->second;
  }
  if (kernel->description) return cudaSuccess;
  if (const cudaError_t error = load(call, *kernel->image)) return error;
  const auto& there = kernel->image->kernels;
  for (std::uint32_t i = 0; i < there.size(); ++i) {
    if (there[i].mangled != kernel->mangled) continue;
    kernel->index = i;
    kernel->description = &there[i];
    return cudaSuccess;
  }
  return cudaErrorInvalidDeviceFunction;
}

std::uint32_t module_of(const Kernel& kernel) { return kernel.image->module; }

cudaError_t find_variable(Call& call, const void* symbol, Place& place) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.variables.find(symbol);
  if (found == all.variables.end()) return cudaErrorInvalidSymbol;
  if (const cudaError_t error = load(call, *found->second.image)) return error;
  const auto answer =
      call.session.ask(FindVariable{found->second.image->module, found->second.name});
  if (!answer) return cudaErrorInitializationError;
  if (answer->error != 0) return static_cast<cudaError_t>(answer->error);
  place = *answer;
  call.session.add(place.address, {place.bytes, MemoryKind::device, 0, 0, nullptr});
  return cudaSuccess;
}

}  // namespace warpbook::device::runtime

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): nvcc's own names

using namespace warpbook::device::runtime;

#pragma GCC visibility push(default)
extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.images.push_back(std::make_unique<Image>());
  all.images.back()->binaries.push_back(static_cast<const Wrapper*>(wrapper)->data);
  return reinterpret_cast<void**>(all.images.back().get());
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void**) {}

/// What `warpbook program` has a program call for each part that was compiled with -rdc=true, in place of NVIDIA's device link:
/// the parts are linked into one module where the first of them is used.
void __warpbookRegisterLinked(const void* wrapper, void (*callback)(void**), const char*) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (!all.linked) {
    all.images.push_back(std::make_unique<Image>());
    all.linked = all.images.back().get();
  }
  all.linked->binaries.push_back(static_cast<const Wrapper*>(wrapper)->data);
  callback(reinterpret_cast<void**>(all.linked));
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*,
                            void*, void*, void*, int*) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.kernels[host] = {&image_of(handle), name, 0, nullptr, 0};
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t bytes,
                       int, int) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.variables[host] = {&image_of(handle), name, bytes};
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int,
                              std::size_t bytes, int, int) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.variables[pointer] = {&image_of(handle), name, bytes};
  image_of(handle).managed.push_back({pointer, name});
}

char __cudaInitModule(void** handle) {
  (void)traced(Function::__cudaInitModule, [&](Call& call) {
    const std::lock_guard lock(registry().mutex);
    return load(call, image_of(handle));
  });
  return 1;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.kernels.find(function);
  if (found == all.kernels.end()) return last_error() = cudaErrorInvalidDeviceFunction;
  *kernel = reinterpret_cast<cudaKernel_t>(&found->second);
  return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  if (!kernel) return last_error() = cudaErrorInvalidValue;
  return __cudaGetKernel(kernel, function);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return traced(Function::cudaGetSymbolAddress, [&](Call& call) {
    Place place;
    if (!pointer) return cudaErrorInvalidValue;
    const cudaError_t error = find_variable(call, symbol, place);
    if (error == cudaSuccess) *pointer = reinterpret_cast<void*>(place.address);
    return error;
  });
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return traced(Function::cudaGetSymbolSize, [&](Call& call) {
    Place place;
    if (!bytes) return cudaErrorInvalidValue;
    const cudaError_t error = find_variable(call, symbol, place);
    if (error == cudaSuccess) *bytes = place.bytes;
    return error;
  });
}
}
#pragma GCC visibility pop

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
