#include <memory>

#include "device/libraries/cudnn_calls.hpp"

namespace warpbook::device::libraries {
namespace {

constexpr float kCudnnSoftmaxOne = 1, kCudnnSoftmaxZero = 0;

}  // namespace

Expected<CudnnTensor> CudnnTensor::make(const CudnnApi& api, const Problem& problem,
                                        const Shape& s) {
  for (const std::int64_t each : s.extents()) {
    if (each > INT32_MAX)
      return cudnn_refused(Message{"phrase.why.extents-32", {}, {}},
                           Message{"phrase.words.not-asked", {}, {}});
  }
  CudnnTensor made(api);
  int status = api.CreateTensorDescriptor(&made.raw_);
  if (status == cudnn::kSuccess) {
    status = api.SetTensor4dDescriptor(
        made.raw_, problem.layout == Layout::nchw ? cudnn::kFormatNchw : cudnn::kFormatNhwc,
        cudnn::type_of(problem.precision), static_cast<int>(s.n), static_cast<int>(s.c),
        static_cast<int>(s.h), static_cast<int>(s.w));
  }
  if (auto done = cudnn_checked(api, status, "no-tensor"); !done)
    return tl::unexpected(done.error());
  return made;
}

CudnnTensor::~CudnnTensor() {
  if (raw_ != nullptr) api_->DestroyTensorDescriptor(raw_);
}

Expected<Offer> cudnn_softmax_offer() {
  Offer offer;
  offer.algorithms = {{"softmax ACCURATE", "", "", 0, {"SUBTRACTS_MAXIMUM"}},
                      {"softmax FAST", "", "", 0, {}}};
  return offer;
}

Expected<GpuKernel> cudnn_softmax(const CudnnApi& api, void* handle, const Problem& problem,
                                  std::uint32_t algorithm) {
  auto made = CudnnTensor::make(api, problem, problem.image);
  if (!made) return tl::unexpected(made.error());
  const auto x = std::make_shared<CudnnTensor>(std::move(*made));
  const int how = algorithm == 0 ? cudnn::kSoftmaxAccurate : cudnn::kSoftmaxFast;
  const bool forward = problem.pass == Pass::forward;
  GpuKernel kernel;
  kernel.bind = [&api, handle, x, how, forward](
                    const std::vector<void*>& t,
                    void*) -> Expected<std::function<Expected<void>()>> {
    return [&api, handle, x, how, forward, t]() -> Expected<void> {
      const int status =
          forward
              ? api.SoftmaxForward(handle, how, cudnn::kSoftmaxAlongC, &kCudnnSoftmaxOne, x->raw(),
                                   t[0], &kCudnnSoftmaxZero, x->raw(), t[1])
              : api.SoftmaxBackward(handle, how, cudnn::kSoftmaxAlongC, &kCudnnSoftmaxOne, x->raw(),
                                    t[0], x->raw(), t[1], &kCudnnSoftmaxZero, x->raw(), t[2]);
      return cudnn_checked(api, status, "softmax-fails");
    };
  };
  return kernel;
}

}  // namespace warpbook::device::libraries
