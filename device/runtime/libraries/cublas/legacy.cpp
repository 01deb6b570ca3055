// The functions of cuBLAS from before it had handles, by those that have one: a single handle for the whole process, and an error that
// waits to be asked for.
#pragma GCC visibility push(default)
#include "device/runtime/libraries/include/cublas.h"
#pragma GCC visibility pop

#include <cstddef>

namespace warpbook::device::libraries::cublas {
namespace {

struct Process {
  cublasHandle_t handle = nullptr;
  cublasStatus_t error = CUBLAS_STATUS_SUCCESS;
};
Process process;

/// The last error stays until cublasGetError has told it.
void note(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) process.error = status;
}

// Letters mean what they mean in the BLAS of Fortran; others become a value that is refused.

bool is(char letter, char lower) { return (letter | 0x20) == lower; }

cublasOperation_t operation(char letter) {
  if (is(letter, 'n')) return CUBLAS_OP_N;
  if (is(letter, 't')) return CUBLAS_OP_T;
  return is(letter, 'c') ? CUBLAS_OP_C : CUBLAS_OP_CONJG;
}
cublasSideMode_t side_of(char letter) {
  if (is(letter, 'l')) return CUBLAS_SIDE_LEFT;
  return is(letter, 'r') ? CUBLAS_SIDE_RIGHT : static_cast<cublasSideMode_t>(-1);
}
cublasFillMode_t fill_of(char letter) {
  if (is(letter, 'l')) return CUBLAS_FILL_MODE_LOWER;
  return is(letter, 'u') ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_FULL;
}
cublasDiagType_t diagonal_of(char letter) {
  if (is(letter, 'n')) return CUBLAS_DIAG_NON_UNIT;
  return is(letter, 'u') ? CUBLAS_DIAG_UNIT : static_cast<cublasDiagType_t>(-1);
}

}  // namespace
}  // namespace warpbook::device::libraries::cublas

using namespace warpbook::device::libraries::cublas;

cublasStatus_t cublasInit() {
  return process.handle ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&process.handle);
}

cublasStatus_t cublasShutdown() {
  if (!process.handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublasStatus_t status = cublasDestroy_v2(process.handle);
  process = {};
  return status;
}

cublasStatus_t cublasGetError() {
  const cublasStatus_t error = process.error;
  process.error = CUBLAS_STATUS_SUCCESS;
  return error;
}

cublasStatus_t cublasGetVersion(int* version) {
  return cublasGetVersion_v2(process.handle, version);
}

cublasStatus_t cublasAlloc(int n, int element_bytes, void** pointer) {
  if (!process.handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0 || element_bytes <= 0 || !pointer) return CUBLAS_STATUS_INVALID_VALUE;
  const std::size_t bytes = static_cast<std::size_t>(n) * static_cast<std::size_t>(element_bytes);
  return cudaMalloc(pointer, bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                   : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasFree(void* pointer) {
  if (!process.handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream_v2(process.handle, stream);
}

#define OF_TYPE(L, l, T)                                                                           \
  void cublas##L##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {                     \
    note(cublas##L##axpy_v2(process.handle, n, &alpha, x, incx, y, incy));                         \
  }                                                                                                \
  void cublas##L##scal(int n, T alpha, T* x, int incx) {                                           \
    note(cublas##L##scal_v2(process.handle, n, &alpha, x, incx));                                  \
  }                                                                                                \
  void cublas##L##copy(int n, const T* x, int incx, T* y, int incy) {                              \
    note(cublas##L##copy_v2(process.handle, n, x, incx, y, incy));                                 \
  }                                                                                                \
  void cublas##L##swap(int n, T* x, int incx, T* y, int incy) {                                    \
    note(cublas##L##swap_v2(process.handle, n, x, incx, y, incy));                                 \
  }                                                                                                \
  void cublas##L##rot(int n, T* x, int incx, T* y, int incy, T cosine, T sine) {                   \
    note(cublas##L##rot_v2(process.handle, n, x, incx, y, incy, &cosine, &sine));                  \
  }                                                                                                \
  T cublas##L##dot(int n, const T* x, int incx, const T* y, int incy) {                            \
    T result = 0;                                                                                  \
    note(cublas##L##dot_v2(process.handle, n, x, incx, y, incy, &result));                         \
    return result;                                                                                 \
  }                                                                                                \
  T cublas##L##nrm2(int n, const T* x, int incx) {                                                 \
    T result = 0;                                                                                  \
    note(cublas##L##nrm2_v2(process.handle, n, x, incx, &result));                                 \
    return result;                                                                                 \
  }                                                                                                \
  T cublas##L##asum(int n, const T* x, int incx) {                                                 \
    T result = 0;                                                                                  \
    note(cublas##L##asum_v2(process.handle, n, x, incx, &result));                                 \
    return result;                                                                                 \
  }                                                                                                \
  int cublasI##l##amax(int n, const T* x, int incx) {                                              \
    int result = 0;                                                                                \
    note(cublasI##l##amax_v2(process.handle, n, x, incx, &result));                                \
    return result;                                                                                 \
  }                                                                                                \
  int cublasI##l##amin(int n, const T* x, int incx) {                                              \
    int result = 0;                                                                                \
    note(cublasI##l##amin_v2(process.handle, n, x, incx, &result));                                \
    return result;                                                                                 \
  }                                                                                                \
  void cublas##L##gemv(char op, int m, int n, T alpha, const T* a, int lda, const T* x, int incx,  \
                       T beta, T* y, int incy) {                                                   \
    note(cublas##L##gemv_v2(process.handle, operation(op), m, n, &alpha, a, lda, x, incx, &beta,   \
                            y, incy));                                                             \
  }                                                                                                \
  void cublas##L##ger(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a,     \
                      int lda) {                                                                   \
    note(cublas##L##ger_v2(process.handle, m, n, &alpha, x, incx, y, incy, a, lda));               \
  }                                                                                                \
  void cublas##L##gemm(char op_a, char op_b, int m, int n, int k, T alpha, const T* a, int lda,    \
                       const T* b, int ldb, T beta, T* c, int ldc) {                               \
    note(cublas##L##gemm_v2(process.handle, operation(op_a), operation(op_b), m, n, k, &alpha, a,  \
                            lda, b, ldb, &beta, c, ldc));                                          \
  }                                                                                                \
  void cublas##L##symm(char side, char fill, int m, int n, T alpha, const T* a, int lda,           \
                       const T* b, int ldb, T beta, T* c, int ldc) {                               \
    note(cublas##L##symm_v2(process.handle, side_of(side), fill_of(fill), m, n, &alpha, a, lda, b, \
                            ldb, &beta, c, ldc));                                                  \
  }                                                                                                \
  void cublas##L##syrk(char fill, char op, int n, int k, T alpha, const T* a, int lda, T beta,     \
                       T* c, int ldc) {                                                            \
    note(cublas##L##syrk_v2(process.handle, fill_of(fill), operation(op), n, k, &alpha, a, lda,    \
                            &beta, c, ldc));                                                       \
  }                                                                                                \
  void cublas##L##trsm(char side, char fill, char op, char diagonal, int m, int n, T alpha,        \
                       const T* a, int lda, T* b, int ldb) {                                       \
    note(cublas##L##trsm_v2(process.handle, side_of(side), fill_of(fill), operation(op),           \
                            diagonal_of(diagonal), m, n, &alpha, a, lda, b, ldb));                 \
  }

OF_TYPE(S, s, float)
OF_TYPE(D, d, double)
