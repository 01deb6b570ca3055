// From the name of a device to the device.
#include <new>

#include "device/device.hpp"
#include "device/gpu/gpu_device.hpp"
#include "device/gpu/self_test.hpp"

namespace warpbook::device {
namespace {

/// The GPU of this machine, once it has shown that it computes.
Expected<std::unique_ptr<Device>> open_gpu() {
  auto gpu = gpu::GpuDevice::open();
  if (!gpu) return tl::unexpected(gpu.error());
  if (auto passed = gpu::self_test(**gpu); !passed) return tl::unexpected(passed.error());
  return std::unique_ptr<Device>(std::move(*gpu));
}

}  // namespace

Expected<std::unique_ptr<Device>> open_device(std::string_view kind, std::string_view gpu_name) {
  if (kind == "gpu") return open_gpu();
  if (kind != "auto" && kind != "simulator") {
    return failure(ErrorCode::no_device,
                   {{"kind", Message{"phrase.kind.device", {{"name", std::string(kind)}}, {}}},
                    {"why", Message{"phrase.why.choose-device", {}, {}}}});
  }
  if (kind == "auto") {
    if (auto gpu = open_gpu()) return gpu;
  }
  const auto gpu = known_gpu(gpu_name);
  if (!gpu) return tl::unexpected(gpu.error());
  try {
    return make_simulated_device(**gpu);
  } catch (const std::bad_alloc&) {
    return tl::unexpected(no_address_space(**gpu));
  }
}

}  // namespace warpbook::device
