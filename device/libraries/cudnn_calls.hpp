// cuDNN's operations that are plain calls: softmax, and, of its legacy API, activations and pooling.
#pragma once

#include "device/libraries/cudnn_api.hpp"
#include "device/libraries/gpu_work.hpp"
#include "device/libraries/library.hpp"

namespace warpbook::device::libraries {

/// A tensor as these calls want it; destroyed with its owner.
class CudnnTensor {
 public:
  static Expected<CudnnTensor> make(const CudnnApi& api, const Problem& problem,
                                    const Shape& shape);
  CudnnTensor(CudnnTensor&& other) noexcept : api_(other.api_), raw_(other.raw_) {
    other.raw_ = nullptr;
  }
  CudnnTensor& operator=(CudnnTensor&&) = delete;
  ~CudnnTensor();
  [[nodiscard]] void* raw() const { return raw_; }

 private:
  explicit CudnnTensor(const CudnnApi& api) : api_(&api) {}
  const CudnnApi* api_;
  void* raw_ = nullptr;
};

/// All algorithms, in the order of the indices below.
Expected<Offer> cudnn_softmax_offer();
Expected<GpuKernel> cudnn_softmax(const CudnnApi& api, void* handle, const Problem& problem,
                                  std::uint32_t algorithm);

/// Error: library_refused for GELU, which the legacy API has not.
Expected<Offer> cudnn_legacy_offer(const Problem& problem);
Expected<GpuKernel> cudnn_legacy(const CudnnApi& api, void* handle, const Problem& problem);

}  // namespace warpbook::device::libraries
