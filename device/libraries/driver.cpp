#include "device/libraries/driver.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

namespace warpbook::device::libraries {

struct DriverApi {
  int (*get_error_name)(int, const char**) = nullptr;
#define WARPBOOK_CUDA_DRIVER(name, parameters) int(*name) parameters = nullptr;
#include "device/libraries/driver_api.inc"
#undef WARPBOOK_CUDA_DRIVER
};

namespace {

constexpr int kSuccess = 0;
constexpr int kOutOfMemory = 2;
constexpr double kShortestSample = 20e-6;
constexpr int kMostInBatch = 1000;

// cuda.h: CUdevice_attribute.
constexpr int kMajor = 75, kMinor = 76, kL2Bytes = 38;

tl::unexpected<Error> failed(std::string_view call, std::string status) {
  return failure(ErrorCode::driver_failed,
                 {{"call", std::string(call)}, {"status", std::move(status)}});
}

tl::unexpected<Error> missing(std::string detail) {
  return failure(ErrorCode::driver_missing,
                 {{"detail", std::move(detail)}, {"needed", std::string(kDriverNeeded)}});
}

/// The library, initialised, and of a version that serves.
struct Driver {
  void* library = nullptr;
  std::string file;
  int cuda = 0;
  DriverApi api;
};

using GetProcAddress = int (*)(const char*, void**, int, std::uint64_t, int*);

std::string text_of(const DriverApi& api, int status) {
  const char* name = nullptr;
  if (api.get_error_name != nullptr && api.get_error_name(status, &name) == kSuccess &&
      name != nullptr) {
    return name;
  }
  return fmt::format("error {}", status);
}

template <class Function>
bool take(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

/// As far as it goes: `driver` says what was found also where the result is an error.
Expected<void> open_driver(Driver& driver) {
  driver.library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver.library == nullptr) {
    const char* text = ::dlerror();
    return missing(text != nullptr ? text : "libcuda.so.1");
  }
  int (*init)(unsigned int) = nullptr;
  int (*version)(int*) = nullptr;
  if (!take(driver.library, "cuInit", init) ||
      !take(driver.library, "cuDriverGetVersion", version)) {
    return missing("libcuda.so.1 is not a whole driver");
  }
  take(driver.library, "cuGetErrorName", driver.api.get_error_name);
  Dl_info where{};
  if (::dladdr(reinterpret_cast<void*>(init), &where) != 0 && where.dli_fname != nullptr) {
    std::error_code error;
    const auto real = std::filesystem::canonical(where.dli_fname, error);
    driver.file = error ? where.dli_fname : real.string();
  }
  // The version can be asked before anything works.
  if (version(&driver.cuda) == kSuccess && driver.cuda < kDriverCuda) {
    return failure(ErrorCode::driver_too_old,
                   {{"found", fmt::format("{}.{}", driver.cuda / 1000, driver.cuda % 1000 / 10)},
                    {"cuda", fmt::format("{}.{}", kDriverCuda / 1000, kDriverCuda % 1000 / 10)},
                    {"needed", std::string(kDriverNeeded)}});
  }
  if (const int status = init(0); status != kSuccess) {
    return failure(ErrorCode::no_device,
                   {{"kind", "GPU"}, {"why", "cuInit: " + text_of(driver.api, status)}});
  }
  GetProcAddress find = nullptr;
  if (!take(driver.library, "cuGetProcAddress_v2", find))
    return missing("libcuda.so.1 has no cuGetProcAddress");
#define WARPBOOK_CUDA_DRIVER(name, parameters)                                              \
  {                                                                                         \
    void* found = nullptr;                                                                  \
    int ignored = 0;                                                                        \
    if (find("cu" #name, &found, kDriverCuda, 0, &ignored) != kSuccess || found == nullptr) \
      return missing("libcuda.so.1 has no cu" #name);                                       \
    driver.api.name = reinterpret_cast<decltype(driver.api.name)>(found);                   \
  }
#include "device/libraries/driver_api.inc"
#undef WARPBOOK_CUDA_DRIVER
  return {};
}

/// The device's name, capability and memory.
std::string describe(const DriverApi& api, int ordinal) {
  int device = 0, major = 0, minor = 0;
  std::size_t bytes = 0;
  std::array<char, 256> name{};
  if (api.DeviceGet(&device, ordinal) != kSuccess ||
      api.DeviceGetName(name.data(), static_cast<int>(name.size()), device) != kSuccess) {
    return fmt::format("GPU {}", ordinal);
  }
  api.DeviceGetAttribute(&major, kMajor, device);
  api.DeviceGetAttribute(&minor, kMinor, device);
  api.DeviceTotalMem(&bytes, device);
  return fmt::format("{} ({}.{}, {} MB)", name.data(), major, minor, bytes >> 20);
}

}  // namespace

DriverFacts driver_facts() {
  Driver driver;
  const auto opened = open_driver(driver);
  DriverFacts facts{driver.file, driver.cuda, {}, {}};
  if (!opened) {
    facts.error = opened.error();
    return facts;
  }
  int count = 0;
  if (const int status = driver.api.DeviceGetCount(&count); status != kSuccess) {
    facts.error = failed("cuDeviceGetCount", text_of(driver.api, status)).value();
    return facts;
  }
  for (int i = 0; i < count; ++i) facts.gpus.push_back(describe(driver.api, i));
  return facts;
}

GpuMemory::~GpuMemory() {
  if (api_ != nullptr && address_ != 0) api_->MemFree(address_);
}

Expected<std::unique_ptr<Gpu>> Gpu::open() {
  // Opened once a process, and never closed: cuDNN and cuBLAS hold on to the context.
  static Driver driver;
  static const Expected<void> opened = open_driver(driver);
  if (!opened) return tl::unexpected(opened.error());
  const DriverApi& api = driver.api;
  auto gpu = std::make_unique<Gpu>();
  gpu->api_ = &api;
  int count = 0, device = 0, l2 = 0;
  void* context = nullptr;
  if (auto done = gpu->call(api.DeviceGetCount(&count), "cuDeviceGetCount"); !done)
    return tl::unexpected(done.error());
  if (count == 0)
    return failure(ErrorCode::no_device, {{"kind", "GPU"}, {"why", "the driver names none"}});
  gpu->name_ = describe(api, 0);
  struct Step {
    int status;
    const char* name;
  };
  for (const auto& step :
       {Step{api.DeviceGet(&device, 0), "cuDeviceGet"},
        Step{api.DeviceGetAttribute(&l2, kL2Bytes, device), "cuDeviceGetAttribute"},
        Step{api.DevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain"},
        Step{api.CtxSetCurrent(context), "cuCtxSetCurrent"},
        Step{api.StreamCreate(&gpu->stream_, 1), "cuStreamCreate"},  // waits for no other stream
        Step{api.EventCreate(&gpu->begin_, 0), "cuEventCreate"},
        Step{api.EventCreate(&gpu->end_, 0), "cuEventCreate"}}) {
    if (auto done = gpu->call(step.status, step.name); !done) return tl::unexpected(done.error());
  }
  gpu->l2_bytes_ = static_cast<std::size_t>(l2);
  return gpu;
}

Expected<void> Gpu::call(int status, std::string_view name) const {
  if (status == kSuccess) return {};
  return failed(name, text_of(*api_, status));
}

Expected<GpuMemory> Gpu::allocate(std::string_view what, std::size_t bytes) {
  std::uint64_t address = 0;
  const std::size_t wanted = std::max<std::size_t>(bytes, 1);
  const int status = api_->MemAlloc(&address, wanted);
  if (status == kOutOfMemory) {
    std::size_t free = 0, total = 0;
    api_->MemGetInfo(&free, &total);
    return failure(ErrorCode::out_of_memory, {{"bytes", std::to_string(wanted)},
                                              {"name", std::string(what)},
                                              {"free", std::to_string(free)}});
  }
  if (auto done = call(status, "cuMemAlloc"); !done) return tl::unexpected(done.error());
  return GpuMemory(*api_, address, wanted);
}

Expected<GpuMemory> Gpu::upload(std::string_view what, std::span<const std::byte> bytes) {
  auto memory = allocate(what, bytes.size());
  if (!memory) return memory;
  if (auto done =
          call(api_->MemcpyHtoD(memory->address(), bytes.data(), bytes.size()), "cuMemcpyHtoD");
      !done) {
    return tl::unexpected(done.error());
  }
  return memory;
}

Expected<void> Gpu::download(std::span<std::byte> to, const GpuMemory& from) {
  if (auto done = synchronise(); !done) return done;
  return call(api_->MemcpyDtoH(to.data(), from.address(), to.size()), "cuMemcpyDtoH");
}

Expected<void> Gpu::spoil(const GpuMemory& memory) {
  return call(api_->MemsetD8(memory.address(), 0xff, memory.bytes()), "cuMemsetD8");
}

Expected<void> Gpu::synchronise() {
  return call(api_->StreamSynchronize(stream_), "cuStreamSynchronize");
}

Expected<void> Gpu::synchronise_all() { return call(api_->CtxSynchronize(), "cuCtxSynchronize"); }

Expected<double> Gpu::seconds(const std::function<Expected<void>()>& work) {
  for (int batch = 1;; batch *= 4) {
    float milliseconds = 0;
    if (auto done = call(api_->EventRecord(begin_, stream_), "cuEventRecord"); !done)
      return tl::unexpected(done.error());
    for (int i = 0; i < batch; ++i) {
      if (auto done = work(); !done) return tl::unexpected(done.error());
    }
    if (auto done = call(api_->EventRecord(end_, stream_), "cuEventRecord"); !done)
      return tl::unexpected(done.error());
    if (auto done = call(api_->EventSynchronize(end_), "cuEventSynchronize"); !done)
      return tl::unexpected(done.error());
    if (auto done = call(api_->EventElapsedTime(&milliseconds, begin_, end_), "cuEventElapsedTime");
        !done) {
      return tl::unexpected(done.error());
    }
    const double all = milliseconds * 1e-3;
    if (all >= kShortestSample || batch >= kMostInBatch) return all / batch;
  }
}

}  // namespace warpbook::device::libraries
