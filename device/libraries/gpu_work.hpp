// Running and timing somebody's kernels on the GPU, whoever they are: data in their layout and type, a result back, time
// by the rules of measure.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "device/libraries/primary_gpu.hpp"
#include "device/libraries/problem.hpp"
#include "device/measure.hpp"

namespace warpbook::device::libraries {

/// Numbers in our order as a library wants them, and back. A matrix has no layout.
std::vector<std::byte> encode(const std::vector<float>& numbers, const Shape& shape,
                              const Problem& problem);
std::vector<float> decode(const std::vector<std::byte>& bytes, const Shape& shape,
                          const Problem& problem);

/// The needs of a kernel apart from its tensors.
struct GpuKernel {
  std::uint64_t workspace = 0;
  /// Given the addresses of the tensors of tensors_of, inputs first, and of the workspace: the call that queues it.
  std::function<Expected<std::function<Expected<void>()>>(const std::vector<void*>&, void*)> bind;
};

/// Output and workspace are full of NaNs beforehand.
Expected<std::vector<float>> run_on_gpu(Gpu& gpu, const Problem& problem, const GpuKernel& kernel,
                                        const std::vector<std::vector<float>>& inputs);

/// The tensors rotate over three times the L2, as far as memory goes; all kernels share one workspace.
Expected<std::vector<Timing>> time_on_gpu(Gpu& gpu, const Problem& problem,
                                          const std::vector<GpuKernel>& kernels,
                                          const TimeLimits& limits);

}  // namespace warpbook::device::libraries
