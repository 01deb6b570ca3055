#include "training/tensor.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace warpbook::training {

std::string text_of(const Extents& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const std::int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::int64_t count_of(const Extents& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Extents row_major(const Extents& shape) {
  Extents strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) strides[axis] = stride;
  return strides;
}

void refuse_shape(std::string_view operation, std::string got, std::string_view expected) {
  throw lab::ExperimentFailed{
      {device::ErrorCode::bad_value,
       {{"key", "shape"},
        {"what", std::string(operation)},
        {"got", std::move(got)},
        {"expected", device::Message{"phrase.training." + std::string(expected), {}, {}}}},
       {}},
      {}};
}

bool Tensor::contiguous() const {
  // The stride of an axis of one element is never used.
  const Extents dense = row_major(shape);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] > 1 && strides[axis] != dense[axis]) return count() == 0;
  }
  return true;
}

Tensor Tensor::transposed(std::size_t first, std::size_t second) const {
  if (std::max(first, second) >= shape.size())
    refuse_shape("transpose", text_of(shape), "axis");
  Tensor view = *this;
  std::swap(view.shape[first], view.shape[second]);
  std::swap(view.strides[first], view.strides[second]);
  return view;
}

Tensor Tensor::sliced(std::size_t axis, std::int64_t begin, std::int64_t end) const {
  if (axis >= shape.size()) refuse_shape("slice", text_of(shape), "axis");
  if (begin < 0 || begin > end || end > shape[axis]) {
    refuse_shape("slice", std::to_string(begin) + ":" + std::to_string(end) + " / " + text_of(shape),
                 "slice");
  }
  Tensor view = *this;
  view.shape[axis] = end - begin;
  view.offset += begin * strides[axis];
  return view;
}

Tensor Tensor::broadcast_to(const Extents& larger) const {
  const auto refuse = [&] {
    refuse_shape("broadcast", text_of(shape) + " -> " + text_of(larger), "broadcast");
  };
  if (larger.size() < shape.size()) refuse();
  Tensor view = *this;
  view.shape = larger;
  view.strides.assign(larger.size(), 0);
  const std::size_t added = larger.size() - shape.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == larger[added + axis])
      view.strides[added + axis] = strides[axis];
    else if (shape[axis] != 1)
      refuse();
  }
  return view;
}

Tensor Tensor::reshaped(const Extents& other) const {
  if (!contiguous() || count_of(other) != count())
    refuse_shape("reshape", text_of(shape) + " -> " + text_of(other), "reshape");
  Tensor view = *this;
  view.shape = other;
  view.strides = row_major(other);
  return view;
}

Extents broadcast_shape(std::string_view operation, const Extents& first, const Extents& second) {
  Extents shape(std::max(first.size(), second.size()));
  const auto extent = [&](const Extents& of, std::size_t from_last) {
    return from_last < of.size() ? of[of.size() - 1 - from_last] : 1;
  };
  for (std::size_t from_last = 0; from_last < shape.size(); ++from_last) {
    const std::int64_t a = extent(first, from_last), b = extent(second, from_last);
    if (a != b && a != 1 && b != 1)
      refuse_shape(operation, text_of(first) + ", " + text_of(second), "broadcast");
    shape[shape.size() - 1 - from_last] = a == 1 ? b : a;
  }
  return shape;
}

Extents as_four(const Extents& values, std::int64_t filler) {
  if (values.size() > kMostAxes)
    refuse_shape("tensor", std::to_string(values.size()), "axes");
  Extents four(kMostAxes, filler);
  std::ranges::copy(values, four.end() - static_cast<std::ptrdiff_t>(values.size()));
  return four;
}

}  // namespace warpbook::training
