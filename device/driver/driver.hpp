// NVIDIA's driver, opened when it is wanted: nothing of ours links it. Its functions come from cuGetProcAddress, each in the
// version that we declare. For the worker process only, whose kernels and libraries share it.
#pragma once

#include <string>
#include <string_view>

#include "device/driver/cuda.hpp"
#include "device/error.hpp"

namespace warpbook::device::gpu {

/// CUDA 13 needs a driver that says 13.0 or more of itself: 580 or newer.
inline constexpr int kCudaVersion = 13000;
inline constexpr std::string_view kDriverNeeded = "580";

struct DriverApi {
#define WARPBOOK_CUDA_DRIVER(name, version, parameters) cuda::Status(*name) parameters = nullptr;
#include "device/driver/driver_api.inc"
#undef WARPBOOK_CUDA_DRIVER
};

class Driver {
 public:
  /// The process's driver, opened at the first call and never closed, because libraries keep pointers into it. Errors:
  /// driver_missing, driver_too_old, no_device, driver_failed.
  static Expected<const Driver*> open();
  /// The same, however far open() got. Parts that it did not find are empty or 0.
  static const Driver& found();

  [[nodiscard]] const DriverApi& api() const { return api_; }
  [[nodiscard]] int cuda() const { return cuda_; }  ///< the newest CUDA that it serves: 13000
  [[nodiscard]] const std::string& file() const { return file_; }  ///< links resolved
  /// "CUDA_ERROR_ILLEGAL_ADDRESS"
  [[nodiscard]] std::string name_of(cuda::Status status) const;
  /// driver_failed
  [[nodiscard]] Error failed(std::string_view call, cuda::Status status) const;

 private:
  struct Process;
  static const Process& of_process();
  Expected<void> load();
  DriverApi api_;
  std::string file_;
  int cuda_ = 0;
};

}  // namespace warpbook::device::gpu
