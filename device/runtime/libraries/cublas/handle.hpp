// What stands behind a cublasHandle_t, and what all functions of this library do with it.
#pragma once

// Ours, whichever cuBLAS the machine has beside it.
#pragma GCC visibility push(default)
#include "device/runtime/libraries/include/cublas_v2.h"
#pragma GCC visibility pop

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "device/runtime/libraries/cublas/arguments.hpp"
#include "device/runtime/libraries/kernels.hpp"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  void* scratch = nullptr;  ///< device memory: a result, and kMostPartials partial sums
};

namespace warpbook::device::libraries::cublas {

const Kernels& kernels();

/// How kernels of the type are called.
template <class T>
constexpr char kLetter = '?';
template <>
inline constexpr char kLetter<float> = 's';
template <>
inline constexpr char kLetter<double> = 'd';

/// "cublas_saxpy"
template <class T>
std::string kernel_name(std::string_view operation) {
  return std::string("cublas_") + kLetter<T> + std::string(operation);
}

inline cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// A factor, which the host reads now or the kernel later.
template <class T>
Scalar scalar_of(const cublasContext& handle, const T* factor) {
  if (handle.pointers == CUBLAS_POINTER_MODE_DEVICE) return {0, factor};
  return {static_cast<double>(*factor), nullptr};
}

/// Where a vector's first element is: with a negative stride, behind all others (as in the BLAS of Fortran).
template <class T>
T* first_of(T* x, int n, int stride) {
  return stride < 0 ? x + static_cast<std::int64_t>(1 - n) * stride : x;
}

/// Two vectors of `n` elements; the kernels know which of them they only read.
template <class T>
Vectors vectors_of(int n, const T* x, int incx, const T* y = nullptr, int incy = 1) {
  return {n, const_cast<T*>(first_of(x, n, incx)), incx, const_cast<T*>(first_of(y, n, incy)),
          incy};
}

/// A column-major matrix, transposed where `transpose` says so.
inline Matrix matrix_of(const void* data, int leading, bool transpose = false,
                        std::int64_t batch = 0) {
  Matrix matrix;
  matrix.data = data;
  matrix.row = transpose ? leading : 1;
  matrix.column = transpose ? 1 : leading;
  matrix.batch = batch;
  return matrix;
}

inline bool is_operation(cublasOperation_t op) {
  return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

/// A leading dimension that holds columns of `rows` elements.
inline bool holds(int leading, int rows) { return leading >= (rows > 1 ? rows : 1); }

/// A grid for kernels that give each thread a row, and each block in y a column, then every so many columns another one.
inline dim3 grid_of(int rows, int columns) {
  constexpr int kMost = 65535;
  return {blocks_for(rows), static_cast<unsigned>(std::clamp(columns, 1, kMost))};
}

}  // namespace warpbook::device::libraries::cublas
