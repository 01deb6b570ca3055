// Vectors: y += a x, dot products, norms and their like.
#include "device/runtime/libraries/cublas/handle.hpp"

#include <algorithm>

namespace warpbook::device::libraries::cublas {
namespace {

/// Launches an elementwise kernel; nothing for empty vectors.
template <class T, class... A>
cublasStatus_t elementwise(cublasHandle_t handle, std::string_view operation, const Vectors& v,
                           A... arguments) {
  if (v.n <= 0) return CUBLAS_STATUS_SUCCESS;
  return status_of(kernels().launch(kernel_name<T>(operation), dim3(blocks_for(v.n)), dim3(kBlock),
                                    handle->stream, v, arguments...));
}

template <class T>
cublasStatus_t axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,
                    int incy) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
  return elementwise<T>(handle, "axpy", vectors_of<T>(n, x, incx, y, incy),
                        scalar_of(*handle, alpha));
}

template <class T>
cublasStatus_t scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
  if (incx <= 0) return CUBLAS_STATUS_SUCCESS;
  return elementwise<T>(handle, "scal", vectors_of<T>(n, x, incx), scalar_of(*handle, alpha));
}

template <class T>
cublasStatus_t move(cublasHandle_t handle, std::string_view operation, int n, const T* x, int incx,
                    T* y, int incy) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return elementwise<T>(handle, operation, vectors_of<T>(n, x, incx, y, incy));
}

template <class T>
cublasStatus_t rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* cosine,
                   const T* sine) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!cosine || !sine) return CUBLAS_STATUS_INVALID_VALUE;
  return elementwise<T>(handle, "rot", vectors_of<T>(n, x, incx, y, incy),
                        scalar_of(*handle, cosine), scalar_of(*handle, sine));
}

/// Has one block sum, or several leave their parts to a second kernel. The host waits for a result of its own.
cublasStatus_t reduce(cublasHandle_t handle, const std::string& kernel, const Vectors& v,
                      void* result, std::size_t result_bytes) {
  constexpr std::int64_t kOfBlock = 16 * kBlock;  // elements that are worth a block of their own
  const unsigned blocks =
      std::min<unsigned>(blocks_for(v.n, kOfBlock), static_cast<unsigned>(kMostPartials));
  const bool on_host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
  auto* const partials = static_cast<Partial*>(handle->scratch) + 1;
  void* const out = on_host ? handle->scratch : result;
  cudaError_t error =
      kernels().launch(kernel, dim3(blocks), dim3(kBlock), handle->stream, v, partials, out);
  if (error == cudaSuccess && blocks > 1) {
    error = kernels().launch(kernel + "_partials", dim3(1), dim3(kBlock), handle->stream,
                             static_cast<const Partial*>(partials), static_cast<int>(blocks), out);
  }
  if (error == cudaSuccess && on_host) {
    error = cudaMemcpyAsync(result, out, result_bytes, cudaMemcpyDeviceToHost, handle->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
  }
  return status_of(error);
}

template <class T>
cublasStatus_t dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,
                   T* result) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  return reduce(handle, kernel_name<T>("dot"), vectors_of<T>(std::max(n, 0), x, incx, y, incy),
                result, sizeof *result);
}

/// Of one vector. A stride that is not positive makes it an empty one.
template <class T, class Result>
cublasStatus_t of_one(cublasHandle_t handle, const std::string& kernel, int n, const T* x, int incx,
                      Result* result) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  const int count = incx > 0 ? std::max(n, 0) : 0;
  return reduce(handle, kernel, vectors_of<T>(count, x, incx), result, sizeof *result);
}

/// "cublas_isamax"
template <class T>
std::string index_kernel(std::string_view operation) {
  return std::string("cublas_i") + kLetter<T> + std::string(operation);
}

}  // namespace
}  // namespace warpbook::device::libraries::cublas

using namespace warpbook::device::libraries::cublas;

#define OF_TYPE(L, l, T)                                                                           \
  cublasStatus_t cublas##L##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x,      \
                                    int incx, T* y, int incy) {                                    \
    return axpy(handle, n, alpha, x, incx, y, incy);                                               \
  }                                                                                                \
  cublasStatus_t cublas##L##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x,            \
                                    int incx) {                                                    \
    return scal(handle, n, alpha, x, incx);                                                        \
  }                                                                                                \
  cublasStatus_t cublas##L##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y,      \
                                    int incy) {                                                    \
    return move(handle, "copy", n, x, incx, y, incy);                                              \
  }                                                                                                \
  cublasStatus_t cublas##L##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y,            \
                                    int incy) {                                                    \
    return move(handle, "swap", n, x, incx, y, incy);                                              \
  }                                                                                                \
  cublasStatus_t cublas##L##rot_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,   \
                                   const T* cosine, const T* sine) {                               \
    return rot(handle, n, x, incx, y, incy, cosine, sine);                                         \
  }                                                                                                \
  cublasStatus_t cublas##L##dot_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y, \
                                   int incy, T* result) {                                          \
    return dot(handle, n, x, incx, y, incy, result);                                               \
  }                                                                                                \
  cublasStatus_t cublas##L##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx,            \
                                    T* result) {                                                   \
    return of_one(handle, kernel_name<T>("nrm2"), n, x, incx, result);                             \
  }                                                                                                \
  cublasStatus_t cublas##L##asum_v2(cublasHandle_t handle, int n, const T* x, int incx,            \
                                    T* result) {                                                   \
    return of_one(handle, kernel_name<T>("asum"), n, x, incx, result);                             \
  }                                                                                                \
  cublasStatus_t cublasI##l##amax_v2(cublasHandle_t handle, int n, const T* x, int incx,           \
                                     int* result) {                                                \
    return of_one(handle, index_kernel<T>("amax"), n, x, incx, result);                            \
  }                                                                                                \
  cublasStatus_t cublasI##l##amin_v2(cublasHandle_t handle, int n, const T* x, int incx,           \
                                     int* result) {                                                \
    return of_one(handle, index_kernel<T>("amin"), n, x, incx, result);                            \
  }

OF_TYPE(S, s, float)
OF_TYPE(D, d, double)

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType x_type,
                           int incx, const void* y, cudaDataType y_type, int incy, void* result,
                           cudaDataType result_type, cudaDataType compute_type) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  if (x_type != y_type || x_type != result_type) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (x_type == CUDA_R_32F && compute_type == CUDA_R_32F)
    return dot(handle, n, static_cast<const float*>(x), incx, static_cast<const float*>(y), incy,
               static_cast<float*>(result));
  if (x_type == CUDA_R_64F && compute_type == CUDA_R_64F)
    return dot(handle, n, static_cast<const double*>(x), incx, static_cast<const double*>(y), incy,
               static_cast<double*>(result));
  const bool half = x_type == CUDA_R_16F, bfloat = x_type == CUDA_R_16BF;
  if ((!half && !bfloat) || compute_type != CUDA_R_32F) return CUBLAS_STATUS_NOT_SUPPORTED;
  return reduce(handle, half ? "cublas_hdot" : "cublas_bdot",
                vectors_of(std::max(n, 0), static_cast<const std::uint16_t*>(x), incx,
                           static_cast<const std::uint16_t*>(y), incy),
                result, sizeof(std::uint16_t));
}
