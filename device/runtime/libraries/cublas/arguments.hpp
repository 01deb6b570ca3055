// What the host hands to the kernels of kernels.cu; the host and NVRTC both read this file, so that they agree on every byte.
#pragma once

namespace warpbook::device::libraries::cublas {

/// A factor: of the host's memory, or of the device's, where the pointer mode says so.
struct Scalar {
  double value = 0;
  const void* pointer = nullptr;  ///< of the type in which the kernel computes
};

/// Up to two vectors. A negative stride begins at the last element, where `x` and `y` then point.
struct Vectors {
  long long n = 0;
  void* x = nullptr;
  long long x_stride = 1;
  void* y = nullptr;
  long long y_stride = 1;
};

/// Which elements of a matrix are there.
enum class Part : int { all, lower, upper };

/// A matrix, or one for each block in z. Its element (i, j) is `row * i + column * j` elements behind its first one, so that a
/// transposed matrix is one with its strides exchanged.
struct Matrix {
  const void* data = nullptr;
  const void* const* each = nullptr;  ///< instead of `data`: one pointer a batch, in device memory
  long long row = 1, column = 0;
  long long batch = 0;      ///< elements from one matrix of `data` to the next
  Part stored = Part::all;  ///< of a symmetric matrix: the triangle that is in memory
};

/// C = alpha A B + beta C, with A m x k, B k x n; only `written` of C.
struct Product {
  int m = 0, n = 0, k = 0;
  Scalar alpha, beta;
  Matrix a, b, c;
  Part written = Part::all;
  int first_batch = 0;  ///< of those that the blocks in z take, one each
};

/// A part of a sum, as one block leaves it for the next kernel.
struct Partial {
  double value = 0;
  double scale = 0;     ///< of a norm: the sum is of squares of value / scale
  long long place = 0;  ///< of a maximum
};

/// Blocks that work on one sum, at most; so many partial sums a handle has room for.
constexpr int kMostPartials = 256;

}  // namespace warpbook::device::libraries::cublas
