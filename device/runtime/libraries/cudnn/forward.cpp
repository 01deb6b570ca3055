// Descriptors, and the layers that they describe, in the forward direction.
#pragma GCC visibility push(default)
#include "device/runtime/libraries/include/cudnn.h"
#pragma GCC visibility pop

#include <cstdint>
#include <new>
#include <string>

#include "device/runtime/libraries/cudnn/arguments.hpp"
#include "device/runtime/libraries/kernels.hpp"

extern const char kKernels[];

namespace layers = warpbook::device::libraries::cudnn;

struct cudnnContext {
  cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  layers::Tensor shape;
};
struct cudnnFilterStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  layers::Tensor shape;  ///< n is the filter
};
struct cudnnConvolutionStruct {
  layers::Window window;  ///< its size is the filter's
  cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  int groups = 1;
};
struct cudnnActivationStruct {
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_RELU;
  double coefficient = 0;
};
struct cudnnPoolingStruct {
  layers::Pooling mode = layers::Pooling::maximum;
  layers::Window window;
};

namespace warpbook::device::libraries::cudnn {
namespace {

const Kernels& kernels() {
  static const auto& all = *new Kernels(kKernels);
  return all;
}

cudnnStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

template <class T>
cudnnStatus_t create(T** made) {
  if (!made) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  *made = new (std::nothrow) T;
  return *made ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED;
}
template <class T>
cudnnStatus_t destroy(T* made) {
  delete made;
  return CUDNN_STATUS_SUCCESS;
}

/// The types that kernels compute in.
bool is_supported(cudnnDataType_t type) {
  return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE;
}

/// The layout of elements that follow each other. Error: NOT_SUPPORTED for channels in vectors.
cudnnStatus_t lay_out(Tensor& t, cudnnTensorFormat_t format) {
  const std::int64_t c = t.c, h = t.h, w = t.w;
  t.n_stride = c * h * w;
  if (format == CUDNN_TENSOR_NCHW) {
    t.c_stride = h * w;
    t.h_stride = w;
    t.w_stride = 1;
    return CUDNN_STATUS_SUCCESS;
  }
  t.c_stride = 1;
  t.h_stride = w * c;
  t.w_stride = c;
  return format == CUDNN_TENSOR_NHWC ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

bool same_sizes(const Tensor& a, const Tensor& b) {
  return a.n == b.n && a.c == b.c && a.h == b.h && a.w == b.w;
}

std::int64_t size_of(const Tensor& t) { return static_cast<std::int64_t>(t.n) * t.c * t.h * t.w; }

/// Factors are floats, but for tensors of doubles.
Blend blend_of(cudnnDataType_t type, const void* alpha, const void* beta) {
  if (type == CUDNN_DATA_DOUBLE)
    return {*static_cast<const double*>(alpha), *static_cast<const double*>(beta)};
  return {*static_cast<const float*>(alpha), *static_cast<const float*>(beta)};
}

std::string kernel_name(cudnnDataType_t type, const char* layer) {
  return std::string(type == CUDNN_DATA_DOUBLE ? "cudnn_d_" : "cudnn_s_") + layer;
}

/// What every layer asks of its tensors first.
cudnnStatus_t check(cudnnHandle_t handle, const void* alpha, const cudnnTensorStruct* of_x,
                    const void* x, const void* beta, const cudnnTensorStruct* of_y, const void* y) {
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  if (!alpha || !of_x || !x || !beta || !of_y || !y) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (of_x->type != of_y->type) return CUDNN_STATUS_BAD_PARAM;
  return is_supported(of_x->type) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

/// How many places a window has along an image.
int places(int size, int pad, int length, int dilation, int step) {
  return 1 + (size + 2 * pad - ((length - 1) * dilation + 1)) / step;
}

/// y as a convolution of x makes it. Errors: BAD_PARAM where the sizes do not fit each other.
cudnnStatus_t output_of(const cudnnConvolutionStruct& convolution, const Tensor& x,
                        const Tensor& filter, Tensor& y) {
  const Window& w = convolution.window;
  const bool fits = x.c == filter.c * convolution.groups && filter.n % convolution.groups == 0 &&
                    x.h + 2 * w.pad_h >= (filter.h - 1) * w.dilation_h + 1 &&
                    x.w + 2 * w.pad_w >= (filter.w - 1) * w.dilation_w + 1;
  if (!fits) return CUDNN_STATUS_BAD_PARAM;
  y.n = x.n;
  y.c = filter.n;
  y.h = places(x.h, w.pad_h, filter.h, w.dilation_h, w.step_h);
  y.w = places(x.w, w.pad_w, filter.w, w.dilation_w, w.step_w);
  return CUDNN_STATUS_SUCCESS;
}

/// Whether a convolution of these can be computed at all.
cudnnStatus_t check(const cudnnTensorStruct* x, const cudnnFilterStruct* filter,
                    const cudnnConvolutionStruct* convolution, const cudnnTensorStruct* y) {
  if (!x || !filter || !convolution || !y) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  Tensor sizes;
  if (const auto status = output_of(*convolution, x->shape, filter->shape, sizes)) return status;
  if (!same_sizes(sizes, y->shape) || x->type != filter->type || x->type != y->type)
    return CUDNN_STATUS_BAD_PARAM;
  return is_supported(x->type) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

/// NVIDIA's documentation has no direct convolution either; all others are computed by the same kernel here.
bool is_algorithm(cudnnConvolutionFwdAlgo_t algorithm) {
  return algorithm >= CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM &&
         algorithm < CUDNN_CONVOLUTION_FWD_ALGO_COUNT &&
         algorithm != CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
}

/// The one algorithm there is, which nobody measures: on a simulated GPU a time would say nothing.
cudnnStatus_t algorithms(cudnnHandle_t handle, const cudnnTensorStruct* x,
                         const cudnnFilterStruct* filter, const cudnnConvolutionStruct* convolution,
                         const cudnnTensorStruct* y, int asked, int* returned,
                         cudnnConvolutionFwdAlgoPerf_t* results) {
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  if (!returned || !results) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (asked < 1) return CUDNN_STATUS_BAD_PARAM;
  if (const cudnnStatus_t status = check(x, filter, convolution, y)) return status;
  constexpr float kNotMeasured = -1;
  results[0] = {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                CUDNN_STATUS_SUCCESS,
                kNotMeasured,
                0,
                CUDNN_DETERMINISTIC,
                convolution->math,
                {}};
  *returned = 1;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace warpbook::device::libraries::cudnn

using namespace warpbook::device::libraries;
using namespace warpbook::device::libraries::cudnn;

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return CUDNN_STATUS_NOT_INITIALIZED;
  return create(handle);
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  return handle ? destroy(handle) : CUDNN_STATUS_NOT_INITIALIZED;
}

std::size_t cudnnGetVersion() { return CUDNN_VERSION; }
std::size_t cudnnGetCudartVersion() { return CUDART_VERSION; }

const char* cudnnGetErrorString(cudnnStatus_t status) {
  switch (status) {
    case CUDNN_STATUS_SUCCESS: return "CUDNN_STATUS_SUCCESS";
    case CUDNN_STATUS_NOT_INITIALIZED: return "CUDNN_STATUS_NOT_INITIALIZED";
    case CUDNN_STATUS_BAD_PARAM: return "CUDNN_STATUS_BAD_PARAM";
    case CUDNN_STATUS_BAD_PARAM_NULL_POINTER: return "CUDNN_STATUS_BAD_PARAM_NULL_POINTER";
    case CUDNN_STATUS_NOT_SUPPORTED: return "CUDNN_STATUS_NOT_SUPPORTED";
    case CUDNN_STATUS_INTERNAL_ERROR: return "CUDNN_STATUS_INTERNAL_ERROR";
    case CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED:
      return "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED";
    case CUDNN_STATUS_EXECUTION_FAILED: return "CUDNN_STATUS_EXECUTION_FAILED";
  }
  return "CUDNN_UNKNOWN_STATUS";
}

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUDNN_STATUS_BAD_PARAM;
  *value = kVersion[type];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream) {
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  if (!stream) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  *stream = handle->stream;
  return CUDNN_STATUS_SUCCESS;
}

// Tensors

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensor) {
  return create(tensor);
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
  return destroy(tensor);
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
  if (!tensor) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (n < 1 || c < 1 || h < 1 || w < 1) return CUDNN_STATUS_BAD_PARAM;
  *tensor = {type, {n, c, h, w}};
  return lay_out(tensor->shape, format);
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensor, cudnnDataType_t type,
                                           int n, int c, int h, int w, int n_stride, int c_stride,
                                           int h_stride, int w_stride) {
  if (!tensor) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (n < 1 || c < 1 || h < 1 || w < 1) return CUDNN_STATUS_BAD_PARAM;
  *tensor = {type, {n, c, h, w, n_stride, c_stride, h_stride, w_stride}};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t tensor,
                                         cudnnDataType_t* type, int* n, int* c, int* h, int* w,
                                         int* n_stride, int* c_stride, int* h_stride,
                                         int* w_stride) {
  if (!tensor || !type || !n || !c || !h || !w || !n_stride || !c_stride || !h_stride || !w_stride)
    return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const Tensor& t = tensor->shape;
  *type = tensor->type;
  *n = t.n, *c = t.c, *h = t.h, *w = t.w;
  *n_stride = static_cast<int>(t.n_stride), *c_stride = static_cast<int>(t.c_stride);
  *h_stride = static_cast<int>(t.h_stride), *w_stride = static_cast<int>(t.w_stride);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void* alpha,
                             const cudnnTensorDescriptor_t of_a, const void* a, const void* beta,
                             const cudnnTensorDescriptor_t of_c, void* c) {
  if (const cudnnStatus_t status = check(handle, alpha, of_a, a, beta, of_c, c)) return status;
  const Tensor &from = of_a->shape, &to = of_c->shape;
  const bool fits = (from.n == 1 || from.n == to.n) && (from.c == 1 || from.c == to.c) &&
                    (from.h == 1 || from.h == to.h) && (from.w == 1 || from.w == to.w);
  if (!fits) return CUDNN_STATUS_BAD_PARAM;
  return status_of(kernels().launch(kernel_name(of_c->type, "add"), dim3(blocks_for(size_of(to))),
                                    dim3(kBlock), handle->stream, from, to,
                                    blend_of(of_c->type, alpha, beta), a, c));
}

// Convolution

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filter) {
  return create(filter);
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
  return destroy(filter);
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
  if (!filter) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (k < 1 || c < 1 || h < 1 || w < 1) return CUDNN_STATUS_BAD_PARAM;
  *filter = {type, {k, c, h, w}};
  return lay_out(filter->shape, format);
}

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convolution) {
  return create(convolution);
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution) {
  return destroy(convolution);
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convolution, int pad_h,
                                              int pad_w, int step_h, int step_w, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t) {
  if (!convolution) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const bool valid = pad_h >= 0 && pad_w >= 0 && step_h > 0 && step_w > 0 && dilation_h > 0 &&
                     dilation_w > 0 &&
                     (mode == CUDNN_CONVOLUTION || mode == CUDNN_CROSS_CORRELATION);
  if (!valid) return CUDNN_STATUS_BAD_PARAM;
  convolution->window = {1, 1, pad_h, pad_w, step_h, step_w, dilation_h, dilation_w};
  convolution->mode = mode;
  return CUDNN_STATUS_SUCCESS;
}

/// Sums are made in the type of the tensors, which every mode allows.
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution,
                                          cudnnMathType_t math) {
  if (!convolution) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  convolution->math = math;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convolution, int groups) {
  if (!convolution) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (groups < 1) return CUDNN_STATUS_BAD_PARAM;
  convolution->groups = groups;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t convolution,
                                                    const cudnnTensorDescriptor_t x,
                                                    const cudnnFilterDescriptor_t filter, int* n,
                                                    int* c, int* h, int* w) {
  if (!convolution || !x || !filter || !n || !c || !h || !w)
    return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  Tensor y;
  if (const auto status = output_of(*convolution, x->shape, filter->shape, y)) return status;
  *n = y.n, *c = y.c, *h = y.h, *w = y.w;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  if (!count) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  *count = 1;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t filter,
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t y,
    const int asked, int* returned, cudnnConvolutionFwdAlgoPerf_t* results) {
  return algorithms(handle, x, filter, convolution, y, asked, returned, results);
}

cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t filter,
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t y,
    const int asked, int* returned, cudnnConvolutionFwdAlgoPerf_t* results) {
  return algorithms(handle, x, filter, convolution, y, asked, returned, results);
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t filter,
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t y,
    cudnnConvolutionFwdAlgo_t algorithm, std::size_t* bytes) {
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  if (!bytes) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (const cudnnStatus_t status = check(x, filter, convolution, y)) return status;
  *bytes = 0;
  return is_algorithm(algorithm) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                      const cudnnTensorDescriptor_t of_x, const void* x,
                                      const cudnnFilterDescriptor_t of_filter, const void* filter,
                                      const cudnnConvolutionDescriptor_t convolution,
                                      cudnnConvolutionFwdAlgo_t algorithm, void*, std::size_t,
                                      const void* beta, const cudnnTensorDescriptor_t of_y,
                                      void* y) {
  if (const cudnnStatus_t status = check(handle, alpha, of_x, x, beta, of_y, y)) return status;
  if (!filter) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (const cudnnStatus_t status = check(of_x, of_filter, convolution, of_y)) return status;
  if (!is_algorithm(algorithm)) return CUDNN_STATUS_NOT_SUPPORTED;
  Convolution arguments;
  arguments.x = of_x->shape;
  arguments.weights = of_filter->shape;
  arguments.y = of_y->shape;
  arguments.window = convolution->window;
  arguments.window.h = of_filter->shape.h;
  arguments.window.w = of_filter->shape.w;
  arguments.groups = convolution->groups;
  arguments.flipped = convolution->mode == CUDNN_CONVOLUTION ? 1 : 0;
  const int filters = arguments.y.c / arguments.groups;
  const dim3 grid(blocks_for(static_cast<std::int64_t>(arguments.y.h) * arguments.y.w),
                  blocks_for(filters, kFiltersOfThread) * static_cast<unsigned>(arguments.groups),
                  static_cast<unsigned>(arguments.y.n));
  return status_of(kernels().launch(kernel_name(of_x->type, "convolution"), grid, dim3(kBlock),
                                    handle->stream, arguments, blend_of(of_x->type, alpha, beta), x,
                                    filter, y));
}

// Activation

cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* activation) {
  return create(activation);
}
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t activation) {
  return destroy(activation);
}

/// A value that is no number stays one, whatever is asked: cuDNN documents the choice as ignored or deprecated.
cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activation,
                                           cudnnActivationMode_t mode, cudnnNanPropagation_t,
                                           double coefficient) {
  if (!activation) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (mode < CUDNN_ACTIVATION_SIGMOID || mode > CUDNN_ACTIVATION_SWISH)
    return CUDNN_STATUS_BAD_PARAM;
  *activation = {mode, coefficient};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t activation,
                                     const void* alpha, const cudnnTensorDescriptor_t of_x,
                                     const void* x, const void* beta,
                                     const cudnnTensorDescriptor_t of_y, void* y) {
  if (const cudnnStatus_t status = check(handle, alpha, of_x, x, beta, of_y, y)) return status;
  if (!activation) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (!same_sizes(of_x->shape, of_y->shape)) return CUDNN_STATUS_BAD_PARAM;
  // The two enumerations have the same order. Of a convolution alone, "identity" is one.
  if (activation->mode == CUDNN_ACTIVATION_IDENTITY) return CUDNN_STATUS_BAD_PARAM;
  return status_of(kernels().launch(
      kernel_name(of_x->type, "activation"), dim3(blocks_for(size_of(of_x->shape))), dim3(kBlock),
      handle->stream, of_x->shape, of_y->shape, static_cast<Activation>(activation->mode),
      activation->coefficient, blend_of(of_x->type, alpha, beta), x, y));
}

// Softmax

cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm,
                                  cudnnSoftmaxMode_t mode, const void* alpha,
                                  const cudnnTensorDescriptor_t of_x, const void* x,
                                  const void* beta, const cudnnTensorDescriptor_t of_y, void* y) {
  if (const cudnnStatus_t status = check(handle, alpha, of_x, x, beta, of_y, y)) return status;
  const Tensor& t = of_x->shape;
  const bool valid = same_sizes(t, of_y->shape) && algorithm >= CUDNN_SOFTMAX_FAST &&
                     algorithm <= CUDNN_SOFTMAX_LOG &&
                     (mode == CUDNN_SOFTMAX_MODE_INSTANCE || mode == CUDNN_SOFTMAX_MODE_CHANNEL);
  if (!valid) return CUDNN_STATUS_BAD_PARAM;
  const bool whole = mode == CUDNN_SOFTMAX_MODE_INSTANCE;
  Vectors vectors;
  vectors.count = whole ? t.n : static_cast<std::int64_t>(t.n) * t.h * t.w;
  vectors.length = whole ? t.c * t.h * t.w : t.c;
  vectors.whole_images = whole ? 1 : 0;
  vectors.fast = algorithm == CUDNN_SOFTMAX_FAST ? 1 : 0;
  vectors.logarithm = algorithm == CUDNN_SOFTMAX_LOG ? 1 : 0;
  constexpr std::int64_t kWarp = 32;
  return status_of(kernels().launch(
      kernel_name(of_x->type, "softmax"), dim3(blocks_for(kWarp * vectors.count)), dim3(kBlock),
      handle->stream, t, of_y->shape, vectors, blend_of(of_x->type, alpha, beta), x, y));
}

// Pooling

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* pooling) {
  return create(pooling);
}
cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t pooling) {
  return destroy(pooling);
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t pooling, cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t, int h, int w, int pad_h, int pad_w,
                                          int step_h, int step_w) {
  if (!pooling) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const bool valid = mode >= CUDNN_POOLING_MAX && mode <= CUDNN_POOLING_MAX_DETERMINISTIC &&
                     h > 0 && w > 0 && pad_h >= 0 && pad_w >= 0 && pad_h < h && pad_w < w &&
                     step_h > 0 && step_w > 0;
  if (!valid) return CUDNN_STATUS_BAD_PARAM;
  pooling->mode =
      mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING   ? Pooling::average_with_padding
      : mode == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING ? Pooling::average_without_padding
                                                            : Pooling::maximum;
  pooling->window = {h, w, pad_h, pad_w, step_h, step_w, 1, 1};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t pooling,
                                                const cudnnTensorDescriptor_t x, int* n, int* c,
                                                int* h, int* w) {
  if (!pooling || !x || !n || !c || !h || !w) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const Window& window = pooling->window;
  *n = x->shape.n;
  *c = x->shape.c;
  *h = places(x->shape.h, window.pad_h, window.h, 1, window.step_h);
  *w = places(x->shape.w, window.pad_w, window.w, 1, window.step_w);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t pooling,
                                  const void* alpha, const cudnnTensorDescriptor_t of_x,
                                  const void* x, const void* beta,
                                  const cudnnTensorDescriptor_t of_y, void* y) {
  if (const cudnnStatus_t status = check(handle, alpha, of_x, x, beta, of_y, y)) return status;
  Tensor sizes;
  if (const cudnnStatus_t status = cudnnGetPooling2dForwardOutputDim(
          pooling, of_x, &sizes.n, &sizes.c, &sizes.h, &sizes.w)) {
    return status;
  }
  if (!same_sizes(sizes, of_y->shape)) return CUDNN_STATUS_BAD_PARAM;
  return status_of(kernels().launch(kernel_name(of_x->type, "pooling"),
                                    dim3(blocks_for(size_of(of_y->shape))), dim3(kBlock),
                                    handle->stream, of_x->shape, of_y->shape, pooling->window,
                                    pooling->mode, blend_of(of_x->type, alpha, beta), x, y));
}
