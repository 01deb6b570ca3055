// The kernels of Warpbook's cuDNN: tensors with any strides, written for few instructions rather than for one GPU.
#include "device/runtime/libraries/cudnn/arguments.hpp"

namespace {

using namespace warpbook::device::libraries::cudnn;

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ float infinity() { return __int_as_float(0x7f800000); }

__device__ long long element() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

struct Place {
  int n, c, h, w;
};
__device__ long long size_of(const Tensor& t) {
  return static_cast<long long>(t.n) * t.c * t.h * t.w;
}
/// The place of element number i, counted through w, h, c and n.
__device__ Place place_of(const Tensor& t, long long i) {
  Place place;
  place.w = static_cast<int>(i % t.w);
  i /= t.w;
  place.h = static_cast<int>(i % t.h);
  i /= t.h;
  place.c = static_cast<int>(i % t.c);
  place.n = static_cast<int>(i / t.c);
  return place;
}
__device__ long long index_in(const Tensor& t, const Place& p) {
  return p.n * t.n_stride + p.c * t.c_stride + p.h * t.h_stride + p.w * t.w_stride;
}

/// Where beta is 0, the tensor may hold anything before.
template <class T>
__device__ void put(T& to, T result, const Blend& blend) {
  const T scaled = static_cast<T>(blend.alpha) * result;
  to = blend.beta == 0 ? scaled : scaled + static_cast<T>(blend.beta) * to;
}

/// The part of a window that lies inside of an image: from `first` to before `end`.
struct Range {
  int first, end;
};
__device__ Range inside(int origin, int length, int dilation, int size) {
  Range range;
  range.first = origin < 0 ? (-origin + dilation - 1) / dilation : 0;
  const int room = size - origin;  // to the image's end
  range.end = room <= 0 ? 0 : min(length, (room + dilation - 1) / dilation);
  return range;
}

/// A thread makes the same pixel of kFiltersOfThread channels: each element of x that it loads serves all of them.
template <class T>
__device__ void convolve(const Convolution& v, const Blend& blend, const T* x, const T* weights,
                         T* y) {
  const int pixel = static_cast<int>(element());
  if (pixel >= v.y.h * v.y.w) return;
  const int filters = v.y.c / v.groups, channels = v.weights.c;  // of a group
  const int tiles = (filters + kFiltersOfThread - 1) / kFiltersOfThread;
  const int group = blockIdx.y / tiles;
  const int first = blockIdx.y % tiles * kFiltersOfThread;
  const int column = pixel % v.y.w, row = pixel / v.y.w;
  const int origin_h = row * v.window.step_h - v.window.pad_h;
  const int origin_w = column * v.window.step_w - v.window.pad_w;
  const Range rows = inside(origin_h, v.window.h, v.window.dilation_h, v.x.h);
  const Range columns = inside(origin_w, v.window.w, v.window.dilation_w, v.x.w);

  const T* filter[kFiltersOfThread];
#pragma unroll
  for (int k = 0; k < kFiltersOfThread; ++k) {
    // Past the last one, that one again, the result of which nobody keeps.
    const int number = group * filters + min(first + k, filters - 1);
    filter[k] = weights + number * v.weights.n_stride;
  }
  const T* const image =
      x + blockIdx.z * v.x.n_stride + static_cast<long long>(group) * channels * v.x.c_stride;
  T sum[kFiltersOfThread] = {};
  for (int c = 0; c < channels; ++c) {
    for (int r = rows.first; r < rows.end; ++r) {
      const int of_row = v.flipped ? v.window.h - 1 - r : r;
      const T* const line =
          image + c * v.x.c_stride + (origin_h + r * v.window.dilation_h) * v.x.h_stride;
      const long long weight = c * v.weights.c_stride + of_row * v.weights.h_stride;
      for (int s = columns.first; s < columns.end; ++s) {
        const int of_column = v.flipped ? v.window.w - 1 - s : s;
        const T value = line[(origin_w + s * v.window.dilation_w) * v.x.w_stride];
#pragma unroll
        for (int k = 0; k < kFiltersOfThread; ++k)
          sum[k] += value * filter[k][weight + of_column * v.weights.w_stride];
      }
    }
  }
#pragma unroll
  for (int k = 0; k < kFiltersOfThread; ++k) {
    if (first + k >= filters) break;
    const Place place{static_cast<int>(blockIdx.z), group * filters + first + k, row, column};
    put(y[index_in(v.y, place)], sum[k], blend);
  }
}

template <class T>
__device__ T activated(Activation activation, T x, T coefficient) {
  switch (activation) {
    case Activation::sigmoid: return T(1) / (T(1) + exp(-x));
    case Activation::relu: return x < T(0) ? T(0) : x;
    case Activation::tanh: return tanh(x);
    case Activation::clipped_relu: return x < T(0) ? T(0) : x > coefficient ? coefficient : x;
    case Activation::elu: return x < T(0) ? coefficient * (exp(x) - T(1)) : x;
    case Activation::swish: return x / (T(1) + exp(-coefficient * x));
    case Activation::identity: break;
  }
  return x;
}

template <class T>
__device__ void activate(const Tensor& of_x, const Tensor& of_y, Activation activation,
                         double coefficient, const Blend& blend, const T* x, T* y) {
  const long long i = element();
  if (i >= size_of(of_x)) return;
  const Place place = place_of(of_x, i);
  put(y[index_in(of_y, place)],
      activated(activation, x[index_in(of_x, place)], static_cast<T>(coefficient)), blend);
}

/// Adds a tensor whose sizes are those of y or 1: it is the same along each dimension of size 1.
template <class T>
__device__ void add(const Tensor& of_a, const Tensor& of_y, const Blend& blend, const T* a, T* y) {
  const long long i = element();
  if (i >= size_of(of_y)) return;
  const Place place = place_of(of_y, i);
  const Place in_a{of_a.n == 1 ? 0 : place.n, of_a.c == 1 ? 0 : place.c, of_a.h == 1 ? 0 : place.h,
                   of_a.w == 1 ? 0 : place.w};
  put(y[index_in(of_y, place)], a[index_in(of_a, in_a)], blend);
}

template <class T>
__device__ void pool(const Tensor& of_x, const Tensor& of_y, const Window& window, Pooling pooling,
                     const Blend& blend, const T* x, T* y) {
  const long long i = element();
  if (i >= size_of(of_y)) return;
  const Place place = place_of(of_y, i);
  const int origin_h = place.h * window.step_h - window.pad_h;
  const int origin_w = place.w * window.step_w - window.pad_w;
  const Range rows = inside(origin_h, window.h, 1, of_x.h);
  const Range columns = inside(origin_w, window.w, 1, of_x.w);
  const T* const image = x + place.n * of_x.n_stride + place.c * of_x.c_stride;
  const bool is_maximum = pooling == Pooling::maximum;
  T result = is_maximum ? -T(infinity()) : T(0);
  int count = 0;
  for (int r = rows.first; r < rows.end; ++r) {
    for (int s = columns.first; s < columns.end; ++s, ++count) {
      const T value = image[(origin_h + r) * of_x.h_stride + (origin_w + s) * of_x.w_stride];
      result = !is_maximum ? result + value : value > result ? value : result;
    }
  }
  if (pooling == Pooling::average_with_padding) count = window.h * window.w;
  if (!is_maximum) result = count == 0 ? T(0) : result / count;
  put(y[index_in(of_y, place)], result, blend);
}

/// Where element i of a vector is.
__device__ Place place_in(const Tensor& t, const Vectors& vectors, long long vector, int i) {
  if (vectors.whole_images) {
    Place place = place_of(t, i);
    place.n = static_cast<int>(vector);
    return place;
  }
  const long long pixels = static_cast<long long>(t.h) * t.w;
  const int pixel = static_cast<int>(vector % pixels);
  return {static_cast<int>(vector / pixels), i, pixel / t.w, pixel % t.w};
}

/// A warp for each vector.
template <class T>
__device__ void softmax(const Tensor& of_x, const Tensor& of_y, const Vectors& vectors,
                        const Blend& blend, const T* x, T* y) {
  const long long vector = element() / kWarp;
  if (vector >= vectors.count) return;  // a whole warp
  const int lane = threadIdx.x % kWarp;
  T largest = -T(infinity()), sum = 0;
  for (int i = lane; i < vectors.length; i += kWarp)
    largest = max(largest, x[index_in(of_x, place_in(of_x, vectors, vector, i))]);
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    largest = max(largest, __shfl_xor_sync(kAllLanes, largest, distance));
  if (vectors.fast) largest = 0;
  for (int i = lane; i < vectors.length; i += kWarp)
    sum += exp(x[index_in(of_x, place_in(of_x, vectors, vector, i))] - largest);
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(kAllLanes, sum, distance);
  for (int i = lane; i < vectors.length; i += kWarp) {
    const Place place = place_in(of_x, vectors, vector, i);
    const T difference = x[index_in(of_x, place)] - largest;
    const T result = vectors.logarithm ? difference - log(sum) : exp(difference) / sum;
    put(y[index_in(of_y, place)], result, blend);
  }
}

}  // namespace

#define OF_TYPE(letter, T)                                                                         \
  __global__ void cudnn_##letter##_convolution(Convolution v, Blend blend, const T* x,             \
                                               const T* weights, T* y) {                           \
    convolve(v, blend, x, weights, y);                                                             \
  }                                                                                                \
  __global__ void cudnn_##letter##_activation(Tensor of_x, Tensor of_y, Activation activation,     \
                                              double coefficient, Blend blend, const T* x, T* y) { \
    activate(of_x, of_y, activation, coefficient, blend, x, y);                                    \
  }                                                                                                \
  __global__ void cudnn_##letter##_add(Tensor of_a, Tensor of_y, Blend blend, const T* a, T* y) {  \
    add(of_a, of_y, blend, a, y);                                                                  \
  }                                                                                                \
  __global__ void cudnn_##letter##_pooling(Tensor of_x, Tensor of_y, Window window,                \
                                           Pooling pooling, Blend blend, const T* x, T* y) {       \
    pool(of_x, of_y, window, pooling, blend, x, y);                                                \
  }                                                                                                \
  __global__ void cudnn_##letter##_softmax(Tensor of_x, Tensor of_y, Vectors vectors, Blend blend, \
                                           const T* x, T* y) {                                     \
    softmax(of_x, of_y, vectors, blend, x, y);                                                     \
  }

extern "C" {
OF_TYPE(s, float)
OF_TYPE(d, double)
}
