// A matrix and a vector.
#include "device/runtime/libraries/cublas/handle.hpp"

#include <algorithm>
#include <utility>

namespace warpbook::device::libraries::cublas {
namespace {

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha,
                    const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool valid = m >= 0 && n >= 0 && is_operation(op) && holds(lda, m) && incx != 0 &&
                     incy != 0 && alpha && beta;
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool transpose = op != CUBLAS_OP_N;
  if (transpose) std::swap(m, n);
  Vectors v = vectors_of<T>(n, x, incx);
  v.y = first_of(y, m, incy);
  v.y_stride = incy;
  constexpr std::int64_t kWarp = 32;
  // Of a transposed matrix each warp sums a row; otherwise each thread does (kernels.cu says why).
  const std::int64_t threads = transpose ? kWarp * m : m;
  return status_of(kernels().launch(kernel_name<T>("gemv"), dim3(blocks_for(threads)), dim3(kBlock),
                                    handle->stream, m, n, scalar_of(*handle, alpha),
                                    matrix_of(a, lda, transpose), v, scalar_of(*handle, beta)));
}

template <class T>
cublasStatus_t ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,
                   const T* y, int incy, T* a, int lda) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool valid = m >= 0 && n >= 0 && incx != 0 && incy != 0 && holds(lda, m) && alpha;
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  Vectors v = vectors_of<T>(m, x, incx);
  v.y = const_cast<T*>(first_of(y, n, incy));
  v.y_stride = incy;
  return status_of(kernels().launch(kernel_name<T>("ger"), grid_of(m, n), dim3(kBlock),
                                    handle->stream, m, n, scalar_of(*handle, alpha), v,
                                    matrix_of(a, lda)));
}

}  // namespace
}  // namespace warpbook::device::libraries::cublas

using namespace warpbook::device::libraries::cublas;

#define OF_TYPE(L, T)                                                                           \
  cublasStatus_t cublas##L##gemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,  \
                                    const T* alpha, const T* a, int lda, const T* x, int incx,  \
                                    const T* beta, T* y, int incy) {                            \
    return gemv(handle, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                       \
  }                                                                                             \
  cublasStatus_t cublas##L##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha,         \
                                   const T* x, int incx, const T* y, int incy, T* a, int lda) { \
    return ger(handle, m, n, alpha, x, incx, y, incy, a, lda);                                  \
  }

OF_TYPE(S, float)
OF_TYPE(D, double)
