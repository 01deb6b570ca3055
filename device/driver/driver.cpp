#include "device/driver/driver.hpp"

#include <dlfcn.h>

#include <filesystem>

#include <fmt/format.h>

#include "device/symbol.hpp"

namespace warpbook::device::gpu {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";

tl::unexpected<Error> driver_missing(std::string detail) {
  return failure(ErrorCode::driver_missing,
                 {{"detail", std::move(detail)}, {"needed", std::string(kDriverNeeded)}});
}

std::string dotted(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

}  // namespace

struct Driver::Process {
  Driver driver;
  Expected<void> loaded;
};

const Driver::Process& Driver::of_process() {
  static const Process process = [] {
    Process p;
    p.loaded = p.driver.load();
    return p;
  }();
  return process;
}

Expected<const Driver*> Driver::open() {
  const Process& process = of_process();
  if (!process.loaded) return tl::unexpected(process.loaded.error());
  return &process.driver;
}

const Driver& Driver::found() { return of_process().driver; }

Expected<void> Driver::load() {
  void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = ::dlerror();
    return driver_missing(why != nullptr ? why : kLibrary);
  }
  cuda::Status (*init)(unsigned) = nullptr;
  cuda::Status (*version)(int*) = nullptr;
  cuda::Status (*find)(const char*, void**, int, std::uint64_t, int*) = nullptr;
  if (!take_symbol(library, "cuInit", init) || !take_symbol(library, "cuDriverGetVersion", version))
    return driver_missing(fmt::format("{} is no driver", kLibrary));
  take_symbol(library, "cuGetErrorName", api_.GetErrorName);
  Dl_info where{};
  if (::dladdr(reinterpret_cast<void*>(init), &where) != 0 && where.dli_fname != nullptr) {
    std::error_code error;
    const auto real = std::filesystem::canonical(where.dli_fname, error);
    file_ = error ? where.dli_fname : real.string();
  }
  // It can be asked before anything else works.
  if (version(&cuda_) != cuda::kSuccess)
    return driver_missing(fmt::format("{} has no version", kLibrary));
  if (cuda_ < kCudaVersion) {
    return failure(ErrorCode::driver_too_old, {{"found", dotted(cuda_)},
                                               {"cuda", dotted(kCudaVersion)},
                                               {"needed", std::string(kDriverNeeded)}});
  }
  if (const cuda::Status status = init(0); status != cuda::kSuccess) {
    return failure(ErrorCode::no_device,
                   {{"kind", "GPU"}, {"why", "cuInit gave " + name_of(status)}});
  }
  if (!take_symbol(library, "cuGetProcAddress_v2", find))
    return driver_missing(fmt::format("{} has no cuGetProcAddress_v2", kLibrary));
    // Not each in the newest version: CUDA 13's cuCtxSynchronize takes a context, which ours does not give it.
#define WARPBOOK_CUDA_DRIVER(function, version, parameters)                           \
  {                                                                                   \
    void* found = nullptr;                                                            \
    int state = 0;                                                                    \
    if (find("cu" #function, &found, version, 0, &state) != cuda::kSuccess || !found) \
      return driver_missing(fmt::format("{} has no cu" #function, kLibrary));         \
    api_.function = reinterpret_cast<decltype(api_.function)>(found);                 \
  }
#include "device/driver/driver_api.inc"
#undef WARPBOOK_CUDA_DRIVER
  return {};
}

std::string Driver::name_of(cuda::Status status) const {
  const char* name = nullptr;
  if (api_.GetErrorName != nullptr && api_.GetErrorName(status, &name) == cuda::kSuccess && name)
    return name;
  return fmt::format("error {}", status);
}

Error Driver::failed(std::string_view call, cuda::Status status) const {
  return {ErrorCode::driver_failed, {{"call", std::string(call)}, {"status", name_of(status)}}, {}};
}

}  // namespace warpbook::device::gpu
