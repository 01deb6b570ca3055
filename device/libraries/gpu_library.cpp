#include "device/libraries/gpu_library.hpp"

#include <string>
#include <utility>

namespace warpbook::device::libraries {

Expected<GpuKernel> GpuLibrary::chosen(const Problem& problem, std::uint32_t number) {
  const auto offered = offer(problem, present_);
  if (!offered) return tl::unexpected(offered.error());
  if (number >= offered->algorithms.size()) {
    return failure(ErrorCode::bad_problem, {{"what", Message{"phrase.what.the-algorithm", {}, {}}},
                                            {"value", std::to_string(number)},
                                            {"why", Message{"phrase.why.no-algorithm", {}, {}}}});
  }
  if (auto present = be_present(); !present) return tl::unexpected(present.error());
  return kernel(problem, number, offered->algorithms[number]);
}

Expected<std::vector<float>> GpuLibrary::run(const Problem& problem, std::uint32_t algorithm,
                                             const std::vector<std::vector<float>>& inputs) {
  const auto kernel = chosen(problem, algorithm);
  if (!kernel) return tl::unexpected(kernel.error());
  return run_on_gpu(*gpu_, problem, *kernel, inputs);
}

Expected<std::vector<Timing>> GpuLibrary::time(const Problem& problem,
                                               const std::vector<std::uint32_t>& algorithms,
                                               const TimeLimits& limits) {
  std::vector<GpuKernel> kernels;
  for (const std::uint32_t algorithm : algorithms) {
    auto kernel = chosen(problem, algorithm);
    if (!kernel) return tl::unexpected(kernel.error());
    kernels.push_back(std::move(*kernel));
  }
  if (kernels.empty()) return std::vector<Timing>();
  return time_on_gpu(*gpu_, problem, kernels, limits);
}

}  // namespace warpbook::device::libraries
