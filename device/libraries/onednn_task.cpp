#if __has_include(<oneapi/dnnl/dnnl.h>)
#include "device/libraries/onednn_task.hpp"

#include <algorithm>
#include <array>

namespace warpbook::device::libraries {
namespace {

constexpr int kMostExtents = 5;

struct Extents {
  int count = 0;
  dnnl_dims_t values{};
  /// The last one fastest.
  [[nodiscard]] dnnl_format_tag_t plain() const {
    if (count == 2) return dnnl_ab;
    return count == kMostExtents ? dnnl_abcde : dnnl_abcd;
  }
};

Extents extents_of(const Problem& p, const Shape& s) {
  if (p.kind == ProblemKind::matmul) return {2, {s.h, s.w}};
  return {4, {s.n, s.c, s.h, s.w}};
}

/// Of filters: to oneDNN, groups are an extent of their own.
Extents filter_extents_of(const Problem& p) {
  const Shape w = filters_of(p);
  if (p.groups == 1) return extents_of(p, w);
  return {kMostExtents, {p.groups, w.n / p.groups, w.c, w.h, w.w}};
}

dnnl_data_type_t type_of(Precision precision) {
  switch (precision) {
    case Precision::fp16: return dnnl_f16;
    case Precision::bf16: return dnnl_bf16;
    default: return dnnl_f32;
  }
}

// The tensors of one problem, in the layouts that a freedom leaves.
class OnednnTaskPlaces {
 public:
  OnednnTaskPlaces(const OneDnnApi& api, const Problem& problem, OneDnnFreedom freedom)
      : api_(api), problem_(problem), freedom_(freedom) {}

  dnnl_memory_desc_t image(const Shape& shape) {
    const auto own = problem_.kind == ProblemKind::matmul ? dnnl_ab
                     : problem_.layout == Layout::nchw    ? dnnl_abcd
                                                          : dnnl_acdb;
    return make(extents_of(problem_, shape),
                freedom_ == OneDnnFreedom::all ? dnnl_format_tag_any : own);
  }
  dnnl_memory_desc_t filters() { return make(filter_extents_of(problem_), dnnl_format_tag_any); }
  [[nodiscard]] dnnl_status_t status() const { return status_; }

 private:
  dnnl_memory_desc_t make(const Extents& extents, dnnl_format_tag_t tag) {
    dnnl_memory_desc_t made{};
    const auto status = api_.memory_desc_init_by_tag(&made, extents.count, extents.values,
                                                     type_of(problem_.precision), tag);
    if (status_ == dnnl_success) status_ = status;
    return made;
  }
  const OneDnnApi& api_;
  const Problem& problem_;
  OneDnnFreedom freedom_;
  dnnl_status_t status_ = dnnl_success;
};

struct Spatial {
  dnnl_dims_t strides{}, window{}, dilates{}, before{}, after{};
};

// oneDNN counts a dilation from 0, and padding at the far end by what the result needs.
Spatial spatial_of(const Problem& p) {
  const Shape y = result_of(p);
  const auto after = [](std::int64_t result, std::int64_t stride, std::int64_t window,
                        std::int64_t dilation, std::int64_t image, std::int64_t before) {
    return (result - 1) * stride + (window - 1) * dilation + 1 - image - before;
  };
  return {{p.stride.h, p.stride.w},
          {p.window.h, p.window.w},
          {p.dilation.h - 1, p.dilation.w - 1},
          {p.pad.h, p.pad.w},
          {after(y.h, p.stride.h, p.window.h, p.dilation.h, p.image.h, p.pad.h),
           after(y.w, p.stride.w, p.window.w, p.dilation.w, p.image.w, p.pad.w)}};
}

dnnl_alg_kind_t kind_of(Activation activation) {
  switch (activation) {
    case Activation::relu: return dnnl_eltwise_relu;
    case Activation::sigmoid: return dnnl_eltwise_logistic;
    case Activation::tanh: return dnnl_eltwise_tanh;
    case Activation::gelu: return dnnl_eltwise_gelu_erf;
  }
  __builtin_unreachable();
}

dnnl_alg_kind_t kind_of(Pooling pooling) {
  switch (pooling) {
    case Pooling::max: return dnnl_pooling_max;
    case Pooling::average_all: return dnnl_pooling_avg_include_padding;
    case Pooling::average_inside: return dnnl_pooling_avg_exclude_padding;
  }
  __builtin_unreachable();
}

dnnl_status_t convolution(const OneDnnApi& api, const Problem& p, OnednnTaskPlaces& t,
                          OneDnnTask& task) {
  const auto x = t.image(p.image), y = t.image(result_of(p)), w = t.filters();
  const Spatial s = spatial_of(p);
  const auto forward = [&](dnnl_convolution_desc_t* to, dnnl_prop_kind_t kind) {
    return api.dilated_convolution_forward_desc_init(to, kind, dnnl_convolution_auto, &x, &w,
                                                     nullptr, &y, s.strides, s.dilates, s.before,
                                                     s.after);
  };
  if (p.pass == Pass::forward) return forward(&task.descriptor.convolution, dnnl_forward_inference);
  task.has_forward = true;
  const auto status = forward(&task.forward.convolution, dnnl_forward_training);
  if (status != dnnl_success) return status;
  dnnl_convolution_desc_t* const to = &task.descriptor.convolution;
  if (p.pass == Pass::data) {
    return api.dilated_convolution_backward_data_desc_init(to, dnnl_convolution_auto, &x, &w, &y,
                                                           s.strides, s.dilates, s.before, s.after);
  }
  return api.dilated_convolution_backward_weights_desc_init(
      to, dnnl_convolution_auto, &x, &w, nullptr, &y, s.strides, s.dilates, s.before, s.after);
}

dnnl_status_t matmul(const OneDnnApi& api, const Problem& p, OnednnTaskPlaces& t,
                     OneDnnTask& task) {
  const auto a = t.image({1, 1, p.m, p.k}), b = t.image({1, 1, p.k, p.n}),
             c = t.image({1, 1, p.m, p.n});
  return api.matmul_desc_init(&task.descriptor.matmul, &a, &b, nullptr, &c);
}

dnnl_status_t softmax(const OneDnnApi& api, const Problem& p, OnednnTaskPlaces& t,
                      OneDnnTask& task) {
  constexpr int kAlongC = 1;
  const auto x = t.image(p.image);
  const auto forward = [&](dnnl_softmax_v2_desc_t* to, dnnl_prop_kind_t kind) {
    return api.softmax_v2_forward_desc_init(to, kind, dnnl_softmax_accurate, &x, &x, kAlongC);
  };
  if (p.pass == Pass::forward) return forward(&task.descriptor.softmax, dnnl_forward_inference);
  task.has_forward = true;
  const auto status = forward(&task.forward.softmax, dnnl_forward_training);
  if (status != dnnl_success) return status;
  return api.softmax_v2_backward_desc_init(&task.descriptor.softmax, dnnl_softmax_accurate, &x, &x,
                                           &x, kAlongC);
}

dnnl_status_t eltwise(const OneDnnApi& api, const Problem& p, OnednnTaskPlaces& t,
                      OneDnnTask& task) {
  const auto x = t.image(p.image);
  const auto kind = kind_of(p.activation);
  if (p.pass == Pass::forward) {
    return api.eltwise_forward_desc_init(&task.descriptor.eltwise, dnnl_forward_inference, kind, &x,
                                         0, 0);
  }
  task.has_forward = true;
  const auto status =
      api.eltwise_forward_desc_init(&task.forward.eltwise, dnnl_forward_training, kind, &x, 0, 0);
  if (status != dnnl_success) return status;
  return api.eltwise_backward_desc_init(&task.descriptor.eltwise, kind, &x, &x, 0, 0);
}

dnnl_status_t pooling(const OneDnnApi& api, const Problem& p, OnednnTaskPlaces& t,
                      OneDnnTask& task) {
  const auto x = t.image(p.image), y = t.image(result_of(p));
  const Spatial s = spatial_of(p);
  const auto kind = kind_of(p.pooling);
  const auto forward = [&](dnnl_pooling_v2_desc_t* to, dnnl_prop_kind_t what) {
    return api.pooling_v2_forward_desc_init(to, what, kind, &x, &y, s.strides, s.window, s.dilates,
                                            s.before, s.after);
  };
  if (p.pass == Pass::forward) return forward(&task.descriptor.pooling, dnnl_forward_inference);
  task.has_forward = true;
  const auto status = forward(&task.forward.pooling, dnnl_forward_training);
  if (status != dnnl_success) return status;
  return api.pooling_v2_backward_desc_init(&task.descriptor.pooling, kind, &x, &y, s.strides,
                                           s.window, s.dilates, s.before, s.after);
}

}  // namespace

Expected<OneDnnTask> onednn_task(const OneDnnApi& api, const Problem& problem,
                                 OneDnnFreedom freedom) {
  OneDnnTask task;
  OnednnTaskPlaces places(api, problem, freedom);
  using Make = dnnl_status_t (*)(const OneDnnApi&, const Problem&, OnednnTaskPlaces&, OneDnnTask&);
  constexpr std::array<Make, 5> kMakers{convolution, matmul, softmax, eltwise, pooling};
  const dnnl_status_t made =
      kMakers.at(static_cast<std::size_t>(problem.kind))(api, problem, places, task);
  const dnnl_status_t status = places.status() != dnnl_success ? places.status() : made;
  if (status != dnnl_success)
    return onednn_refused(api, status, Message{"phrase.why.no-description", {}, {}});
  return task;
}

std::vector<int> onednn_arguments(const Problem& p) {
  const bool forward = p.pass == Pass::forward;
  switch (p.kind) {
    case ProblemKind::convolution:
      if (forward) return {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
      if (p.pass == Pass::data) return {DNNL_ARG_DIFF_DST, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_SRC};
      return {DNNL_ARG_SRC, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_WEIGHTS};
    case ProblemKind::matmul: return {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
    case ProblemKind::softmax:
      if (forward) return {DNNL_ARG_SRC, DNNL_ARG_DST};
      return {DNNL_ARG_DST, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC};
    case ProblemKind::activation:
      if (forward) return {DNNL_ARG_SRC, DNNL_ARG_DST};
      return {DNNL_ARG_SRC, 0, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC};
    case ProblemKind::pooling:
      if (forward) return {DNNL_ARG_SRC, DNNL_ARG_DST};
      return {0, 0, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_SRC};
  }
  __builtin_unreachable();
}

Expected<dnnl_memory_desc_t> onednn_plain(const OneDnnApi& api, const Problem& problem,
                                          const Shape& shape, int argument) {
  dnnl_memory_desc_t made{};
  const bool filters = problem.kind == ProblemKind::convolution &&
                       (argument == DNNL_ARG_WEIGHTS || argument == DNNL_ARG_DIFF_WEIGHTS);
  const Extents extents = filters ? filter_extents_of(problem) : extents_of(problem, shape);
  const auto status =
      api.memory_desc_init_by_tag(&made, extents.count, extents.values, dnnl_f32, extents.plain());
  if (status != dnnl_success)
    return onednn_refused(api, status, Message{"phrase.why.no-description", {}, {}});
  return made;
}

}  // namespace warpbook::device::libraries
#endif
