// The common base of cuDNN and cuBLAS: both run and are timed on the GPU that is present, in a context that they share.
#pragma once

#include <memory>
#include <vector>

#include "device/libraries/gpu_work.hpp"
#include "device/libraries/library.hpp"

namespace warpbook::device::libraries {

class GpuLibrary : public Library {
 public:
  Expected<Identity> identity() final { return identity_; }
  Expected<std::vector<float>> run(const Problem& problem, std::uint32_t algorithm,
                                   const std::vector<std::vector<float>>& inputs) final;
  Expected<std::vector<Timing>> time(const Problem& problem,
                                     const std::vector<std::uint32_t>& algorithms,
                                     const TimeLimits& limits) final;

 protected:
  /// Opens gpu_ and the library's handle to it, once.
  virtual Expected<void> be_present() = 0;
  /// The algorithm of that number in the offer for the GPU that is present. be_present() has been called.
  virtual Expected<GpuKernel> kernel(const Problem& problem, std::uint32_t number,
                                     const Algorithm& algorithm) = 0;

  Identity identity_;
  std::unique_ptr<Gpu> gpu_;
  Target present_;  ///< of the last offer for the GPU that is present

 private:
  Expected<GpuKernel> chosen(const Problem& problem, std::uint32_t number);
};

}  // namespace warpbook::device::libraries
