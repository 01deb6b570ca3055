// cuDNN: the forward layers of courses against plain loops, in every layout that has strides.
#include <cudnn.h>

#include <algorithm>
#include <array>

#include "tests/device/runtime/programs/library_program.hpp"

// cuDNN 9 calls the functions that courses use deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

using namespace program;

template <class T>
constexpr cudnnDataType_t kType = CUDNN_DATA_FLOAT;
template <>
constexpr cudnnDataType_t kType<double> = CUDNN_DATA_DOUBLE;

/// What a descriptor's functions make and destroy.
template <class Made>
class Descriptor {
 public:
  Descriptor(cudnnStatus_t (*create)(Made*), cudnnStatus_t (*destroy)(Made)) : destroy_(destroy) {
    done(create(&made_));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { done(destroy_(made_)); }
  operator Made() const { return made_; }

 private:
  Made made_{};
  cudnnStatus_t (*destroy_)(Made);
};
struct Handle : Descriptor<cudnnHandle_t> {
  Handle() : Descriptor(cudnnCreate, cudnnDestroy) {}
};
struct ConvolutionOf : Descriptor<cudnnConvolutionDescriptor_t> {
  ConvolutionOf()
      : Descriptor(cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor) {}
};

struct Shape {
  int n, c, h, w;
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(n * c * h * w); }
};

/// A tensor on both sides, with elements from one to the next as its format has them.
template <class T>
struct Tensor {
  Shape shape;
  bool channels_last;
  std::vector<T> values;
  Array<T> data;
  Descriptor<cudnnTensorDescriptor_t> descriptor{cudnnCreateTensorDescriptor,
                                                 cudnnDestroyTensorDescriptor};

  Tensor(const Shape& its_shape, cudnnTensorFormat_t format, unsigned seed)
      : shape(its_shape),
        channels_last(format == CUDNN_TENSOR_NHWC),
        values(numbers<T>(shape.count(), seed)),
        data(values) {
    done(cudnnSetTensor4dDescriptor(descriptor, format, kType<T>, shape.n, shape.c, shape.h,
                                    shape.w));
  }
  [[nodiscard]] std::size_t at(int n, int c, int h, int w) const {
    return static_cast<std::size_t>(channels_last
                                        ? ((n * shape.h + h) * shape.w + w) * shape.c + c
                                        : ((n * shape.c + c) * shape.h + h) * shape.w + w);
  }
  [[nodiscard]] double of(int n, int c, int h, int w) const { return values[at(n, c, h, w)]; }
};

template <class F>
void for_each(const Shape& s, const F& body) {
  for (int n = 0; n < s.n; ++n)
    for (int c = 0; c < s.c; ++c)
      for (int h = 0; h < s.h; ++h)
        for (int w = 0; w < s.w; ++w) body(n, c, h, w);
}

struct Case2d {
  Shape x;
  int filters, h, w;
  int pad_h, pad_w, step_h, step_w, dilation_h, dilation_w;
  int groups = 1;
};
constexpr std::array kConvolutions{
    Case2d{{1, 1, 5, 5}, 1, 3, 3, 0, 0, 1, 1, 1, 1},
    Case2d{{2, 3, 12, 9}, 5, 3, 3, 1, 1, 1, 1, 1, 1},
    Case2d{{1, 4, 11, 17}, 6, 5, 2, 2, 0, 2, 3, 1, 1},
    Case2d{{2, 2, 13, 13}, 4, 3, 3, 2, 3, 1, 2, 2, 3},
    Case2d{{1, 6, 8, 8}, 9, 3, 3, 1, 1, 1, 1, 1, 1, 3},
    Case2d{{1, 3, 20, 20}, 8, 1, 1, 0, 0, 1, 1, 1, 1},
};

template <class T>
void convolution_of(const Case2d& v, cudnnTensorFormat_t format, cudnnConvolutionMode_t mode) {
  const Handle handle;
  const ConvolutionOf convolution;
  const T alpha = T(1.5), beta = T(-0.5);
  const Tensor<T> x(v.x, format, 1);
  // A filter's descriptor is of a kind of its own, and its elements lie as a tensor's do.
  const Tensor<T> weights({v.filters, v.x.c / v.groups, v.h, v.w}, format, 2);
  const Descriptor<cudnnFilterDescriptor_t> filter(cudnnCreateFilterDescriptor,
                                                   cudnnDestroyFilterDescriptor);
  done(cudnnSetFilter4dDescriptor(filter, kType<T>, format, v.filters, v.x.c / v.groups, v.h, v.w));
  done(cudnnSetConvolution2dDescriptor(convolution, v.pad_h, v.pad_w, v.step_h, v.step_w,
                                       v.dilation_h, v.dilation_w, mode, kType<T>));
  done(cudnnSetConvolutionGroupCount(convolution, v.groups));
  Shape size{};
  done(cudnnGetConvolution2dForwardOutputDim(convolution, x.descriptor, filter, &size.n, &size.c,
                                             &size.h, &size.w));
  const Tensor<T> y(size, format, 3);
  std::vector<double> exact(size.count());
  const int channels = v.x.c / v.groups;
  for_each(size, [&](int n, int k, int h, int w) {
    double sum = 0;
    for (int c = 0; c < channels; ++c) {
      for (int r = 0; r < v.h; ++r) {
        for (int s = 0; s < v.w; ++s) {
          const int row = h * v.step_h - v.pad_h + r * v.dilation_h;
          const int column = w * v.step_w - v.pad_w + s * v.dilation_w;
          if (row < 0 || row >= v.x.h || column < 0 || column >= v.x.w) continue;
          const bool flipped = mode == CUDNN_CONVOLUTION;
          sum += x.of(n, k / (v.filters / v.groups) * channels + c, row, column) *
                 weights.of(k, c, flipped ? v.h - 1 - r : r, flipped ? v.w - 1 - s : s);
        }
      }
    }
    exact[y.at(n, k, h, w)] = alpha * sum + beta * y.of(n, k, h, w);
  });
  cudnnConvolutionFwdAlgoPerf_t found{};
  int count = 0;
  std::size_t bytes = 1;
  done(cudnnGetConvolutionForwardAlgorithm_v7(handle, x.descriptor, filter, convolution,
                                              y.descriptor, 1, &count, &found));
  expect_equal(count, 1);
  done(cudnnGetConvolutionForwardWorkspaceSize(handle, x.descriptor, filter, convolution,
                                               y.descriptor, found.algo, &bytes));
  done(cudnnConvolutionForward(handle, &alpha, x.descriptor, x.data, filter, weights.data,
                               convolution, found.algo, nullptr, bytes, &beta, y.descriptor,
                               y.data));
  expect_all_near(y.data.values(), exact, tolerance<T>(channels * v.h * v.w));
}

void convolutions() {
  for (const Case2d& v : kConvolutions) {
    for (const auto mode : {CUDNN_CROSS_CORRELATION, CUDNN_CONVOLUTION}) {
      convolution_of<float>(v, CUDNN_TENSOR_NCHW, mode);
      convolution_of<double>(v, CUDNN_TENSOR_NCHW, mode);
      convolution_of<float>(v, CUDNN_TENSOR_NHWC, mode);
    }
  }
}

double activated(cudnnActivationMode_t mode, double x, double coefficient) {
  switch (mode) {
    case CUDNN_ACTIVATION_SIGMOID: return 1 / (1 + std::exp(-x));
    case CUDNN_ACTIVATION_RELU: return std::max(x, 0.0);
    case CUDNN_ACTIVATION_TANH: return std::tanh(x);
    case CUDNN_ACTIVATION_CLIPPED_RELU: return std::min(std::max(x, 0.0), coefficient);
    case CUDNN_ACTIVATION_ELU: return x < 0 ? coefficient * std::expm1(x) : x;
    case CUDNN_ACTIVATION_SWISH: return x / (1 + std::exp(-coefficient * x));
    default: return x;
  }
}

template <class T>
void activations_of() {
  const Handle handle;
  const Descriptor<cudnnActivationDescriptor_t> activation(cudnnCreateActivationDescriptor,
                                                           cudnnDestroyActivationDescriptor);
  const T alpha = T(2), beta = T(0.5);
  for (const auto mode :
       {CUDNN_ACTIVATION_SIGMOID, CUDNN_ACTIVATION_RELU, CUDNN_ACTIVATION_TANH,
        CUDNN_ACTIVATION_CLIPPED_RELU, CUDNN_ACTIVATION_ELU, CUDNN_ACTIVATION_SWISH}) {
    // From one layout into the other.
    const Tensor<T> x({2, 3, 7, 9}, CUDNN_TENSOR_NCHW, 1), y({2, 3, 7, 9}, CUDNN_TENSOR_NHWC, 2);
    done(cudnnSetActivationDescriptor(activation, mode, CUDNN_NOT_PROPAGATE_NAN, 0.25));
    std::vector<double> exact(x.shape.count());
    for_each(x.shape, [&](int n, int c, int h, int w) {
      exact[y.at(n, c, h, w)] =
          alpha * activated(mode, x.of(n, c, h, w), 0.25) + beta * y.of(n, c, h, w);
    });
    done(cudnnActivationForward(handle, activation, &alpha, x.descriptor, x.data, &beta,
                                y.descriptor, y.data));
    expect_all_near(y.data.values(), exact, tolerance<T>(10));
  }
}
void activations() {
  activations_of<float>();
  activations_of<double>();
}

template <class T>
void softmax_of(cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode) {
  const Handle handle;
  const T one = 1, zero = 0;
  const Tensor<T> x({3, 40, 2, 3}, CUDNN_TENSOR_NCHW, 1), y({3, 40, 2, 3}, CUDNN_TENSOR_NCHW, 2);
  std::vector<double> exact(x.shape.count());
  for_each(x.shape, [&](int n, int c, int h, int w) {
    double sum = 0;
    for_each(x.shape, [&](int n2, int c2, int h2, int w2) {
      const bool whole = mode == CUDNN_SOFTMAX_MODE_INSTANCE;
      if (n2 == n && (whole || (h2 == h && w2 == w))) sum += std::exp(x.of(n2, c2, h2, w2));
    });
    const double value = std::exp(x.of(n, c, h, w)) / sum;
    exact[y.at(n, c, h, w)] = algorithm == CUDNN_SOFTMAX_LOG ? std::log(value) : value;
  });
  done(cudnnSoftmaxForward(handle, algorithm, mode, &one, x.descriptor, x.data, &zero, y.descriptor,
                           y.data));
  expect_all_near(y.data.values(), exact, tolerance<T>(10));
}
void softmax() {
  for (const auto algorithm : {CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_LOG}) {
    for (const auto mode : {CUDNN_SOFTMAX_MODE_INSTANCE, CUDNN_SOFTMAX_MODE_CHANNEL}) {
      softmax_of<float>(algorithm, mode);
      softmax_of<double>(algorithm, mode);
    }
  }
  // The accurate one takes logits whose exponentials no float holds.
  const Handle handle;
  const float one = 1, zero = 0;
  const Tensor<float> x({1, 2, 1, 1}, CUDNN_TENSOR_NCHW, 1), y({1, 2, 1, 1}, CUDNN_TENSOR_NCHW, 1);
  const std::vector<float> logits{1000, 1000};
  ok(cudaMemcpy(x.data, logits.data(), sizeof(float) * 2, cudaMemcpyHostToDevice));
  done(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one,
                           x.descriptor, x.data, &zero, y.descriptor, y.data));
  expect_all_near(y.data.values(), {0.5, 0.5}, 0);
}

template <class T>
void pooling_of(cudnnPoolingMode_t mode) {
  const Handle handle;
  const Descriptor<cudnnPoolingDescriptor_t> pooling(cudnnCreatePoolingDescriptor,
                                                     cudnnDestroyPoolingDescriptor);
  const T one = 1, zero = 0;
  const Tensor<T> x({2, 3, 11, 8}, CUDNN_TENSOR_NHWC, 1);
  done(cudnnSetPooling2dDescriptor(pooling, mode, CUDNN_NOT_PROPAGATE_NAN, 3, 2, 1, 1, 2, 2));
  Shape size{};
  done(
      cudnnGetPooling2dForwardOutputDim(pooling, x.descriptor, &size.n, &size.c, &size.h, &size.w));
  const Tensor<T> y(size, CUDNN_TENSOR_NCHW, 2);
  const bool is_maximum = mode == CUDNN_POOLING_MAX;
  std::vector<double> exact(size.count());
  for_each(size, [&](int n, int c, int h, int w) {
    double result = is_maximum ? -1e300 : 0;
    int count = 0;
    for (int row = 2 * h - 1; row < 2 * h + 2; ++row) {
      for (int column = 2 * w - 1; column < 2 * w + 1; ++column) {
        if (row < 0 || row >= x.shape.h || column < 0 || column >= x.shape.w) continue;
        ++count;
        const double value = x.of(n, c, row, column);
        result = is_maximum ? std::max(result, value) : result + value;
      }
    }
    if (mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING) count = 6;
    exact[y.at(n, c, h, w)] = is_maximum ? result : result / count;
  });
  done(cudnnPoolingForward(handle, pooling, &one, x.descriptor, x.data, &zero, y.descriptor,
                           y.data));
  expect_all_near(y.data.values(), exact, tolerance<T>(6));
}
void pooling() {
  for (const auto mode : {CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING,
                          CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING}) {
    pooling_of<float>(mode);
    pooling_of<double>(mode);
  }
}

void biases() {
  const Handle handle;
  const float alpha = 2, beta = 1;
  const Tensor<float> bias({1, 4, 1, 1}, CUDNN_TENSOR_NCHW, 1),
      y({2, 4, 5, 3}, CUDNN_TENSOR_NCHW, 2);
  std::vector<double> exact(y.shape.count());
  for_each(y.shape, [&](int n, int c, int h, int w) {
    exact[y.at(n, c, h, w)] = 2 * bias.of(0, c, 0, 0) + y.of(n, c, h, w);
  });
  done(cudnnAddTensor(handle, &alpha, bias.descriptor, bias.data, &beta, y.descriptor, y.data));
  expect_all_near(y.data.values(), exact, tolerance<float>(1));
  expect_status(
      cudnnAddTensor(handle, &alpha, y.descriptor, y.data, &beta, bias.descriptor, bias.data),
      CUDNN_STATUS_BAD_PARAM);
}

void errors() {
  const Handle handle;
  const ConvolutionOf convolution;
  const float one = 1, zero = 0;
  const Tensor<float> x({1, 3, 8, 8}, CUDNN_TENSOR_NCHW, 1), y({1, 2, 8, 8}, CUDNN_TENSOR_NCHW, 2);
  const Descriptor<cudnnFilterDescriptor_t> filter(cudnnCreateFilterDescriptor,
                                                   cudnnDestroyFilterDescriptor);
  const Descriptor<cudnnActivationDescriptor_t> activation(cudnnCreateActivationDescriptor,
                                                           cudnnDestroyActivationDescriptor);
  const Descriptor<cudnnTensorDescriptor_t> half(cudnnCreateTensorDescriptor,
                                                 cudnnDestroyTensorDescriptor);
  int n = 0, c = 0, h = 0, w = 0;
  expect_status(cudnnSetTensor4dDescriptor(half, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 0, 1, 1),
                CUDNN_STATUS_BAD_PARAM);
  // Channels that do not fit, a window that is larger than the image, and a filter's step of 0.
  done(cudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                       CUDNN_DATA_FLOAT));
  done(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 2, 4, 3, 3));
  expect_status(
      cudnnGetConvolution2dForwardOutputDim(convolution, x.descriptor, filter, &n, &c, &h, &w),
      CUDNN_STATUS_BAD_PARAM);
  done(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 2, 3, 9, 3));
  expect_status(
      cudnnGetConvolution2dForwardOutputDim(convolution, x.descriptor, filter, &n, &c, &h, &w),
      CUDNN_STATUS_BAD_PARAM);
  expect_status(cudnnSetConvolution2dDescriptor(convolution, 0, 0, 0, 1, 1, 1,
                                                CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
                CUDNN_STATUS_BAD_PARAM);
  // y is not what the convolution makes.
  done(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 2, 3, 3, 3));
  expect_status(cudnnConvolutionForward(handle, &one, x.descriptor, x.data, filter, x.data,
                                        convolution, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                        nullptr, 0, &zero, y.descriptor, y.data),
                CUDNN_STATUS_BAD_PARAM);
  done(cudnnSetConvolution2dDescriptor(convolution, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                       CUDNN_DATA_FLOAT));
  expect_status(cudnnConvolutionForward(handle, &one, x.descriptor, x.data, filter, x.data,
                                        convolution, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, nullptr, 0,
                                        &zero, y.descriptor, y.data),
                CUDNN_STATUS_NOT_SUPPORTED);
  done(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
  expect_status(cudnnActivationForward(handle, activation, &one, x.descriptor, x.data, &zero,
                                       y.descriptor, y.data),
                CUDNN_STATUS_BAD_PARAM);
  done(cudnnSetTensor4dDescriptor(half, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, 1, 3, 8, 8));
  expect_status(cudnnActivationForward(handle, activation, &one, half, x.data, &zero, half, x.data),
                CUDNN_STATUS_NOT_SUPPORTED);
  expect_true(std::string(cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM)) == "CUDNN_STATUS_BAD_PARAM");
  expect_equal(static_cast<int>(cudnnGetVersion() / 10000), 9);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 101;
  return run_case(argv[2], {{"convolutions", convolutions},
                            {"activations", activations},
                            {"softmax", softmax},
                            {"pooling", pooling},
                            {"biases", biases},
                            {"errors", errors}});
}
