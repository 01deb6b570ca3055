// Handles, their modes, and copies between the two memories.
#include "device/runtime/libraries/cublas/handle.hpp"

#include <new>

extern const char kKernels[];

namespace warpbook::device::libraries::cublas {

const Kernels& kernels() {
  static const auto& all = *new Kernels(kKernels);
  return all;
}

namespace {

/// Copies a matrix of elements from one memory to the other; nothing for an empty one.
cublasStatus_t copy(int rows, int columns, int element_bytes, const void* from, int from_leading,
                    void* to, int to_leading, cudaMemcpyKind kind, const cudaStream_t* stream) {
  const bool valid = rows >= 0 && columns >= 0 && element_bytes > 0 && from_leading > 0 &&
                     to_leading > 0 &&
                     (columns < 2 || (from_leading >= rows && to_leading >= rows));
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = static_cast<std::size_t>(element_bytes);
  const std::size_t width = static_cast<std::size_t>(rows) * bytes;
  const std::size_t from_pitch =
      columns > 1 ? static_cast<std::size_t>(from_leading) * bytes : width;
  const std::size_t to_pitch = columns > 1 ? static_cast<std::size_t>(to_leading) * bytes : width;
  const auto height = static_cast<std::size_t>(columns);
  const cudaError_t error =
      stream ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, *stream)
             : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/// A vector is a matrix with one element a column.
cublasStatus_t copy_vector(int n, int element_bytes, const void* from, int from_stride, void* to,
                           int to_stride, cudaMemcpyKind kind, const cudaStream_t* stream) {
  return copy(1, n, element_bytes, from, from_stride, to, to_stride, kind, stream);
}

struct Status {
  cublasStatus_t status;
  const char* name;
  const char* text;
};
constexpr Status kStatuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the device lacks a feature that the function needs"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the GPU program failed to execute"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the functionality requested is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
     "the functionality requested requires a license"},
};

const Status* find(cublasStatus_t status) {
  for (const Status& known : kStatuses)
    if (known.status == status) return &known;
  return nullptr;
}

/// Sets a mode of the handle, if it is one of the documented values.
template <class Mode>
cublasStatus_t set(cublasHandle_t handle, Mode cublasContext::*member, Mode mode, bool known) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!known) return CUBLAS_STATUS_INVALID_VALUE;
  handle->*member = mode;
  return CUBLAS_STATUS_SUCCESS;
}

template <class Value>
cublasStatus_t get(cublasHandle_t handle, Value cublasContext::*member, Value* value) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!value) return CUBLAS_STATUS_INVALID_VALUE;
  *value = handle->*member;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace warpbook::device::libraries::cublas

using namespace warpbook::device::libraries::cublas;

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto* const made = new (std::nothrow) cublasContext;
  if (!made) return CUBLAS_STATUS_ALLOC_FAILED;
  constexpr std::size_t kScratch = (1 + kMostPartials) * sizeof(Partial);
  if (cudaMalloc(&made->scratch, kScratch) != cudaSuccess) {
    delete made;
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  *handle = made;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cudaError_t error = cudaFree(handle->scratch);
  delete handle;
  return status_of(error);
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = kVersion[type];
  return CUBLAS_STATUS_SUCCESS;
}

std::size_t cublasGetCudartVersion() { return CUDART_VERSION; }

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream, true);
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cublasContext::stream, stream);
}

/// The kernels here need no workspace, so that one the program brings stays unused.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, std::size_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  const bool known = mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE;
  return set(handle, &cublasContext::pointers, mode, known);
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointers, mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  const bool known = mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED;
  return set(handle, &cublasContext::atomics, mode, known);
}

cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomics, mode);
}

/// All modes compute in the full precision of their types, which each of them allows.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  const int kind = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  const bool known = kind >= CUBLAS_DEFAULT_MATH && kind <= CUBLAS_TF32_TENSOR_OP_MATH;
  return set(handle, &cublasContext::math, mode, known);
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(handle, &cublasContext::math, mode);
}

const char* cublasGetStatusName(cublasStatus_t status) {
  const Status* const known = find(status);
  return known ? known->name : "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  const Status* const known = find(status);
  return known ? known->text : "unknown status";
}

cublasStatus_t cublasSetVector(int n, int element_bytes, const void* x, int incx, void* y,
                               int incy) {
  return copy_vector(n, element_bytes, x, incx, y, incy, cudaMemcpyHostToDevice, nullptr);
}

cublasStatus_t cublasGetVector(int n, int element_bytes, const void* x, int incx, void* y,
                               int incy) {
  return copy_vector(n, element_bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, nullptr);
}

cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void* a, int lda,
                               void* b, int ldb) {
  return copy(rows, columns, element_bytes, a, lda, b, ldb, cudaMemcpyHostToDevice, nullptr);
}

cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void* a, int lda,
                               void* b, int ldb) {
  return copy(rows, columns, element_bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, nullptr);
}

cublasStatus_t cublasSetVectorAsync(int n, int element_bytes, const void* x, int incx, void* y,
                                    int incy, cudaStream_t stream) {
  return copy_vector(n, element_bytes, x, incx, y, incy, cudaMemcpyHostToDevice, &stream);
}

cublasStatus_t cublasGetVectorAsync(int n, int element_bytes, const void* x, int incx, void* y,
                                    int incy, cudaStream_t stream) {
  return copy_vector(n, element_bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, &stream);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element_bytes, const void* a,
                                    int lda, void* b, int ldb, cudaStream_t stream) {
  return copy(rows, columns, element_bytes, a, lda, b, ldb, cudaMemcpyHostToDevice, &stream);
}

cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element_bytes, const void* a,
                                    int lda, void* b, int ldb, cudaStream_t stream) {
  return copy(rows, columns, element_bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, &stream);
}
