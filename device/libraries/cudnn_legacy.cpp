// LEGACY: activations and pooling through calls that cuDNN has marked as deprecated. Its graph API has both, but only as
// engines that are compiled at run time and need a driver; when these calls go, this file goes with them.
#include <memory>

#include "device/libraries/cudnn_calls.hpp"

namespace warpbook::device::libraries {
namespace {

constexpr float kCudnnLegacyOne = 1, kCudnnLegacyZero = 0;

/// An activation or a pooling in the form of these calls, with its tensors.
struct Legacy {
  Legacy(const CudnnApi& its_api, CudnnTensor its_x, CudnnTensor its_y)
      : api(its_api), x(std::move(its_x)), y(std::move(its_y)) {}
  Legacy(const Legacy&) = delete;
  Legacy& operator=(const Legacy&) = delete;
  ~Legacy() {
    if (activation != nullptr) api.DestroyActivationDescriptor(activation);
    if (pooling != nullptr) api.DestroyPoolingDescriptor(pooling);
  }
  const CudnnApi& api;
  CudnnTensor x, y;
  void* activation = nullptr;
  void* pooling = nullptr;
};

int mode_of(Activation activation) {
  switch (activation) {
    case Activation::relu: return cudnn::kRelu;
    case Activation::sigmoid: return cudnn::kSigmoid;
    case Activation::tanh: return cudnn::kTanh;
    case Activation::gelu: break;  // refused by cudnn_legacy_offer
  }
  __builtin_unreachable();
}

int mode_of(Pooling pooling) {
  switch (pooling) {
    case Pooling::max: return cudnn::kPoolingMax;
    case Pooling::average_all: return cudnn::kPoolingAverageAll;
    case Pooling::average_inside: return cudnn::kPoolingAverageInside;
  }
  __builtin_unreachable();
}

int describe(Legacy& legacy, const Problem& p) {
  const CudnnApi& api = legacy.api;
  if (p.kind == ProblemKind::activation) {
    const int status = api.CreateActivationDescriptor(&legacy.activation);
    if (status != cudnn::kSuccess) return status;
    return api.SetActivationDescriptor(legacy.activation, mode_of(p.activation),
                                       cudnn::kPropagateNan, 0);
  }
  const int status = api.CreatePoolingDescriptor(&legacy.pooling);
  if (status != cudnn::kSuccess) return status;
  return api.SetPooling2dDescriptor(legacy.pooling, mode_of(p.pooling), cudnn::kPropagateNan,
                                    static_cast<int>(p.window.h), static_cast<int>(p.window.w),
                                    static_cast<int>(p.pad.h), static_cast<int>(p.pad.w),
                                    static_cast<int>(p.stride.h), static_cast<int>(p.stride.w));
}

// `t`: x y forward; x y dy dx backward.
int queue(const Legacy& l, void* handle, bool forward, const std::vector<void*>& t) {
  void* const x = l.x.raw();
  void* const y = l.y.raw();
  if (l.activation != nullptr) {
    if (forward)
      return l.api.ActivationForward(handle, l.activation, &kCudnnLegacyOne, x, t[0],
                                     &kCudnnLegacyZero, y, t[1]);
    return l.api.ActivationBackward(handle, l.activation, &kCudnnLegacyOne, y, t[1], y, t[2], x,
                                    t[0], &kCudnnLegacyZero, x, t[3]);
  }
  if (forward)
    return l.api.PoolingForward(handle, l.pooling, &kCudnnLegacyOne, x, t[0], &kCudnnLegacyZero, y,
                                t[1]);
  return l.api.PoolingBackward(handle, l.pooling, &kCudnnLegacyOne, y, t[1], y, t[2], x, t[0],
                               &kCudnnLegacyZero, x, t[3]);
}

}  // namespace

Expected<Offer> cudnn_legacy_offer(const Problem& problem) {
  if (problem.kind == ProblemKind::activation && problem.activation == Activation::gelu)
    return cudnn_refused(Message{"phrase.why.no-gelu", {}, {}},
                         Message{"phrase.words.not-asked", {}, {}});
  if (problem.kind == ProblemKind::pooling && problem.dilation != Along{1, 1})
    return cudnn_refused(Message{"phrase.why.no-dilation", {}, {}},
                         Message{"phrase.words.not-asked", {}, {}});
  Offer offer;
  offer.algorithms = {
      {problem.kind == ProblemKind::pooling ? "pooling" : "activation", "", "", 0, {"LEGACY"}}};
  return offer;
}

Expected<GpuKernel> cudnn_legacy(const CudnnApi& api, void* handle, const Problem& problem) {
  if (auto offered = cudnn_legacy_offer(problem); !offered) return tl::unexpected(offered.error());
  auto x = CudnnTensor::make(api, problem, problem.image);
  if (!x) return tl::unexpected(x.error());
  const bool pools = problem.kind == ProblemKind::pooling;
  auto y = CudnnTensor::make(api, problem, pools ? result_of(problem) : problem.image);
  if (!y) return tl::unexpected(y.error());
  const auto legacy = std::make_shared<Legacy>(api, std::move(*x), std::move(*y));
  if (auto done = cudnn_checked(api, describe(*legacy, problem), "no-such-operation"); !done) {
    return tl::unexpected(done.error());
  }
  const bool forward = problem.pass == Pass::forward;
  GpuKernel kernel;
  kernel.bind = [handle, legacy, forward](const std::vector<void*>& t,
                                          void*) -> Expected<std::function<Expected<void>()>> {
    return [handle, legacy, forward, t]() -> Expected<void> {
      return cudnn_checked(legacy->api, queue(*legacy, handle, forward, t), "call-fails");
    };
  };
  return kernel;
}

}  // namespace warpbook::device::libraries
