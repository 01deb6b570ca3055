#include "device/libraries/primary_gpu.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace warpbook::device::libraries {
namespace {

using gpu::Driver;
using gpu::DriverApi;
namespace cuda = gpu::cuda;

constexpr int kMostCallsInBatch = 1000;

/// The device's name, capability and memory.
std::string describe(const DriverApi& api, int ordinal) {
  int device = 0, major = 0, minor = 0;
  std::size_t bytes = 0;
  std::array<char, 256> name{};
  if (api.DeviceGet(&device, ordinal) != cuda::kSuccess ||
      api.DeviceGetName(name.data(), static_cast<int>(name.size()), device) != cuda::kSuccess) {
    return fmt::format("GPU {}", ordinal);
  }
  api.DeviceGetAttribute(&major, cuda::kCapabilityMajor, device);
  api.DeviceGetAttribute(&minor, cuda::kCapabilityMinor, device);
  api.DeviceTotalMem(&bytes, device);
  return fmt::format("{} ({}.{}, {} MB)", name.data(), major, minor, bytes >> 20);
}

}  // namespace

DriverFacts driver_facts() {
  const auto opened = Driver::open();
  DriverFacts facts{Driver::found().file(), Driver::found().cuda(), {}, {}};
  if (!opened) {
    facts.error = opened.error();
    return facts;
  }
  const DriverApi& api = (*opened)->api();
  int count = 0;
  if (const cuda::Status status = api.DeviceGetCount(&count); status != cuda::kSuccess) {
    facts.error = (*opened)->failed("cuDeviceGetCount", status);
    return facts;
  }
  for (int i = 0; i < count; ++i) facts.gpus.push_back(describe(api, i));
  return facts;
}

GpuMemory::~GpuMemory() {
  if (api_ != nullptr && address_ != 0) api_->MemFree(address_);
}

Expected<std::unique_ptr<Gpu>> Gpu::open() {
  const auto driver = Driver::open();
  if (!driver) return tl::unexpected(driver.error());
  const DriverApi& api = (*driver)->api();
  auto gpu = std::make_unique<Gpu>();
  gpu->driver_ = *driver;
  int count = 0, device = 0, l2 = 0;
  void* context = nullptr;
  if (auto done = gpu->call(api.DeviceGetCount(&count), "cuDeviceGetCount"); !done)
    return tl::unexpected(done.error());
  if (count == 0)
    return failure(ErrorCode::no_device,
                   {{"kind", "GPU"}, {"why", Message{"phrase.why.none-named", {}, {}}}});
  gpu->name_ = describe(api, 0);
  struct Step {
    int status;
    const char* name;
  };
  for (const auto& step :
       {Step{api.DeviceGet(&device, 0), "cuDeviceGet"},
        Step{api.DeviceGetAttribute(&l2, cuda::kL2Bytes, device), "cuDeviceGetAttribute"},
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

Expected<void> Gpu::call(cuda::Status status, std::string_view name) const {
  if (status == cuda::kSuccess) return {};
  return tl::unexpected(driver_->failed(name, status));
}

Expected<GpuMemory> Gpu::allocate(std::string_view what, std::size_t bytes) {
  std::uint64_t address = 0;
  const std::size_t wanted = std::max<std::size_t>(bytes, 1);
  const DriverApi& api = driver_->api();
  const cuda::Status status = api.MemAlloc(&address, wanted);
  if (status == cuda::kOutOfMemory) {
    std::size_t free = 0, total = 0;
    api.MemGetInfo(&free, &total);
    return failure(ErrorCode::out_of_memory, {{"bytes", std::to_string(wanted)},
                                              {"name", std::string(what)},
                                              {"free", std::to_string(free)}});
  }
  if (auto done = call(status, "cuMemAlloc"); !done) return tl::unexpected(done.error());
  return GpuMemory(api, address, wanted);
}

Expected<GpuMemory> Gpu::upload(std::string_view what, std::span<const std::byte> bytes) {
  auto memory = allocate(what, bytes.size());
  if (!memory) return memory;
  auto done =
      call(driver_->api().MemcpyHtoDAsync(memory->address(), bytes.data(), bytes.size(), stream_),
           "cuMemcpyHtoDAsync");
  if (done) done = synchronise();
  if (!done) return tl::unexpected(done.error());
  return memory;
}

Expected<void> Gpu::download(std::span<std::byte> to, const GpuMemory& from) {
  auto done = call(driver_->api().MemcpyDtoHAsync(to.data(), from.address(), to.size(), stream_),
                   "cuMemcpyDtoHAsync");
  if (done) done = synchronise();
  return done;
}

Expected<void> Gpu::spoil(const GpuMemory& memory) {
  return call(driver_->api().MemsetD8Async(memory.address(), 0xff, memory.bytes(), stream_),
              "cuMemsetD8Async");
}

Expected<void> Gpu::synchronise() {
  return call(driver_->api().StreamSynchronize(stream_), "cuStreamSynchronize");
}

Expected<void> Gpu::synchronise_all() {
  return call(driver_->api().CtxSynchronize(), "cuCtxSynchronize");
}

Expected<double> Gpu::seconds(const std::function<Expected<void>()>& work, double known) {
  for (int batch = 1;; batch *= 4) {
    float milliseconds = 0;
    if (wants_lead(known)) {
      if (auto led = work(); !led) return tl::unexpected(led.error());
    }
    if (auto done = call(driver_->api().EventRecord(begin_, stream_), "cuEventRecord"); !done)
      return tl::unexpected(done.error());
    for (int i = 0; i < batch; ++i) {
      if (auto done = work(); !done) return tl::unexpected(done.error());
    }
    if (auto done = call(driver_->api().EventRecord(end_, stream_), "cuEventRecord"); !done)
      return tl::unexpected(done.error());
    if (auto done = call(driver_->api().EventSynchronize(end_), "cuEventSynchronize"); !done)
      return tl::unexpected(done.error());
    if (auto done = call(driver_->api().EventElapsedTime(&milliseconds, begin_, end_),
                         "cuEventElapsedTime");
        !done) {
      return tl::unexpected(done.error());
    }
    const double all = milliseconds * 1e-3;
    if (all >= kShortestSample || batch >= kMostCallsInBatch) return all / batch;
  }
}

}  // namespace warpbook::device::libraries
