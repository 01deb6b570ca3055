#include "device/runtime/library/registry.hpp"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

#include <cuda_runtime_api.h>

#include "device/runtime/library/nvrtc.hpp"

namespace warpbook::device::runtime {

/// A managed variable: the program reads its address from `pointer`, after __cudaInitModule.
struct ManagedVariable {
  void** pointer = nullptr;
  std::string name;
};

struct Image {
  std::vector<const void*> binaries;
  std::vector<std::string>
      loaded_images;  ///< instead of binaries, where the program loads them itself
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
  std::map<const void*, std::unique_ptr<LoadedCode>> codes;
  std::unordered_set<const void*> handles;  ///< of kernels
  Image* linked = nullptr;                  ///< of all binaries that were compiled apart
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

/// The bytes of an ELF file: one of its two tables is the last thing in it.
std::string_view elf_at(const char* at) {
  Elf64_Ehdr header{};
  std::memcpy(&header, at, sizeof header);
  return {at, std::max(header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize,
                       header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize)};
}

bool begins_with(const void* address, std::string_view magic) {
  return std::strncmp(static_cast<const char*>(address), magic.data(), magic.size()) == 0;
}

cudaError_t load(Call& call, Image& image, std::string* log = nullptr) {
  if (image.loaded) return *image.loaded;
  Load request;
  for (const void* binary : image.binaries) request.images.push_back(bytes_of(binary));
  for (std::string& bytes : image.loaded_images) request.images.push_back(std::move(bytes));
  image.loaded_images.clear();
  auto loaded = call.session.ask(std::move(request));
  if (!loaded) return cudaErrorInitializationError;
  image.module = loaded->module;
  image.kernels = std::move(loaded->kernels);
  image.loaded = static_cast<cudaError_t>(loaded->error);
  if (log) *log = std::move(loaded->log);
  for (const ManagedVariable& variable : image.managed) {
    const auto place = call.session.ask(FindVariable{image.module, variable.name});
    if (!place || place->error != 0) continue;
    call.session.open_pages(place->address, place->bytes, true);
    call.session.add(place->address, {place->bytes, MemoryKind::managed, 0, 0, nullptr, nullptr});
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
  if (found != all.kernels.end())
    kernel = &found->second;
  else if (find_kernel_handle(function, kernel) != cudaSuccess)
    return cudaErrorInvalidDeviceFunction;
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

cudaError_t find_kernel_handle(const void* handle, Kernel*& kernel) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  // A handle is the Kernel itself.
  if (!all.handles.contains(handle)) return cudaErrorInvalidResourceHandle;
  kernel = const_cast<Kernel*>(static_cast<const Kernel*>(handle));
  return cudaSuccess;
}

std::uint32_t module_of(const Kernel& kernel) { return kernel.image->module; }

cudaError_t find_variable(Call& call, const void* symbol, MemoryPlace& place) {
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
  call.session.add(place.address, {place.bytes, MemoryKind::device, 0, 0, nullptr, nullptr});
  return cudaSuccess;
}

// Code that the program loads itself

void DeleteImage::operator()(Image* image) const { delete image; }

cudaError_t image_at(const void* address, std::string& image) {
  constexpr std::string_view kElf =
      "\x7f"
      "ELF";
  constexpr std::uint32_t kWrapper = 0x466243b1, kFatBinary = 0xba55ed50;
  if (begins_with(address, kElf)) {
    const std::string* const ptx = ptx_of_cubin(elf_at(static_cast<const char*>(address)));
    if (!ptx) return cudaErrorNoKernelImageForDevice;
    image = *ptx;
    return cudaSuccess;
  }
  // Shorter texts are no module; a zero ends them.
  if (::strnlen(static_cast<const char*>(address), sizeof kWrapper) < sizeof kWrapper)
    return cudaErrorInvalidKernelImage;
  std::uint32_t magic = 0;
  std::memcpy(&magic, address, sizeof magic);
  if (magic == kWrapper) return image_at(static_cast<const Wrapper*>(address)->data, image);
  image = magic == kFatBinary ? bytes_of(address) : std::string(static_cast<const char*>(address));
  return cudaSuccess;
}

cudaError_t load_code(Call& call, std::vector<std::string> images, const Context* context,
                      LoadedCode*& code, std::string& log) {
  auto made = std::make_unique<LoadedCode>();
  made->context = context;
  made->image.reset(new Image);
  made->image->loaded_images = std::move(images);
  if (const cudaError_t error = load(call, *made->image, &log)) return error;
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const KernelDescription& known : made->image->kernels) {
    made->kernels.push_back(std::make_unique<Kernel>(
        Kernel{made->image.get(), known.mangled, static_cast<std::uint32_t>(made->kernels.size()),
               &known, 0}));
    all.handles.insert(made->kernels.back().get());
  }
  code = made.get();
  all.codes[code] = std::move(made);
  return cudaSuccess;
}

cudaError_t unload_code(LoadedCode* code) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.codes.find(code);
  if (found == all.codes.end()) return cudaErrorInvalidResourceHandle;
  for (const auto& kernel : code->kernels) all.handles.erase(kernel.get());
  all.codes.erase(found);
  return cudaSuccess;
}

void unload_modules_of(const Context& context) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::vector<LoadedCode*> gone;
  for (const auto& [handle, code] : all.codes)
    if (code->context == &context) gone.push_back(code.get());
  for (LoadedCode* code : gone) (void)unload_code(code);
}

LoadedCode* find_code(const void* handle) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.codes.find(handle);
  return found == all.codes.end() ? nullptr : found->second.get();
}

LoadedCode* code_of(const Kernel& kernel) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const auto& [handle, code] : all.codes)
    if (code->image.get() == kernel.image) return code.get();
  return nullptr;
}

cudaError_t kernel_named(const LoadedCode& code, const char* name, Kernel*& kernel) {
  for (const auto& known : code.kernels) {
    if (known->mangled != name) continue;
    kernel = known.get();
    return cudaSuccess;
  }
  return cudaErrorSymbolNotFound;
}

cudaError_t variable_named(Call& call, const LoadedCode& code, const char* name,
                           MemoryPlace& place) {
  const auto answer = call.session.ask(FindVariable{code.image->module, name});
  if (!answer) return cudaErrorInitializationError;
  if (answer->error != 0) return cudaErrorSymbolNotFound;
  place = *answer;
  call.session.add(place.address,
                   {place.bytes, MemoryKind::device, current_device(), 0, nullptr, nullptr});
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
  all.handles.insert(&all.kernels[host]);
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
  all.variables[reinterpret_cast<const void*>(pointer)] = {&image_of(handle), name, bytes};
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
    MemoryPlace place;
    if (!pointer) return cudaErrorInvalidValue;
    const cudaError_t error = find_variable(call, symbol, place);
    if (error == cudaSuccess) *pointer = reinterpret_cast<void*>(place.address);
    return error;
  });
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return traced(Function::cudaGetSymbolSize, [&](Call& call) {
    MemoryPlace place;
    if (!bytes) return cudaErrorInvalidValue;
    const cudaError_t error = find_variable(call, symbol, place);
    if (error == cudaSuccess) *bytes = place.bytes;
    return error;
  });
}
}
#pragma GCC visibility pop

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
