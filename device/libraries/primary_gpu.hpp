// The GPU as the libraries use it: the driver's first device in its primary context, with memory and times. Kernels of our
// own run through device/gpu.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/driver/driver.hpp"
#include "device/error.hpp"
#include "device/measure.hpp"

namespace warpbook::device::libraries {

/// Everything that is known about the driver, however far opening it got.
struct DriverFacts {
  std::string file;               ///< libcuda.so.1, links resolved; empty: none
  int cuda = 0;                   ///< 13000: CUDA 13.0
  std::vector<std::string> gpus;  ///< names, "NVIDIA H200 (9.0, 143771 MB)"
  std::optional<Error> error;     ///< why no GPU can be used
};
template <class V>
void fields(V&& visit, Is<DriverFacts> auto& v) {
  visit("file", v.file);
  visit("cuda", v.cuda);
  visit("gpus", v.gpus);
  visit("error", v.error);
}
DriverFacts driver_facts();

/// Memory of the GPU. Freed with it.
class GpuMemory {
 public:
  GpuMemory() = default;
  GpuMemory(const gpu::DriverApi& api, std::uint64_t address, std::size_t bytes)
      : api_(&api), address_(address), bytes_(bytes) {}
  GpuMemory(GpuMemory&& other) noexcept { swap(other); }
  GpuMemory& operator=(GpuMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GpuMemory();
  [[nodiscard]] void* pointer() const { return reinterpret_cast<void*>(address_); }
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void swap(GpuMemory& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
  }
  const gpu::DriverApi* api_ = nullptr;
  std::uint64_t address_ = 0;
  std::size_t bytes_ = 0;
};

/// The first GPU, with its primary context, which cuDNN and cuBLAS share, and a stream.
class Gpu {
 public:
  /// Errors: driver_missing, driver_too_old, no_device, driver_failed.
  static Expected<std::unique_ptr<Gpu>> open();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] void* stream() const { return stream_; }
  [[nodiscard]] std::size_t l2_bytes() const { return l2_bytes_; }

  /// Uninitialised; at least one byte. Error: out_of_memory.
  Expected<GpuMemory> allocate(std::string_view what, std::size_t bytes);
  Expected<GpuMemory> upload(std::string_view what, std::span<const std::byte> bytes);
  Expected<void> download(std::span<std::byte> to, const GpuMemory& from);
  /// Fills with NaNs of any width of float, so that elements that a kernel forgot to write are visible.
  Expected<void> spoil(const GpuMemory& memory);
  Expected<void> synchronise();      ///< stream()
  Expected<void> synchronise_all();  ///< every stream

  /// Seconds of one call of `work`, which queues on stream(): between two events, in batches where it is shorter than
  /// 20 us. `known`: the seconds of the last time, 0 for the first.
  Expected<double> seconds(const std::function<Expected<void>()>& work, double known);

 private:
  Expected<void> call(gpu::cuda::Status status, std::string_view name) const;
  const gpu::Driver* driver_ = nullptr;
  std::string name_;
  void* stream_ = nullptr;
  void* begin_ = nullptr;
  void* end_ = nullptr;
  std::size_t l2_bytes_ = 0;
};

}  // namespace warpbook::device::libraries
