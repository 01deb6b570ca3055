// The kernels of Warpbook's cuBLAS: column-major, every stride, written for few instructions rather than for one GPU.
#include "device/runtime/libraries/cublas/arguments.hpp"

namespace {

using namespace warpbook::device::libraries::cublas;

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

// Types of elements, each with what it is computed in

struct Half {
  unsigned short bits;
};
struct Bfloat {
  unsigned short bits;
};

__device__ float number(float x) { return x; }
__device__ double number(double x) { return x; }
__device__ int number(signed char x) { return x; }
__device__ int number(int x) { return x; }
__device__ float number(Half x) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
  return value;
}
__device__ float number(Bfloat x) { return __int_as_float(static_cast<int>(x.bits) << 16); }

__device__ void store(float& to, float x) { to = x; }
__device__ void store(double& to, double x) { to = x; }
__device__ void store(int& to, int x) { to = x; }
__device__ void store(Half& to, float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to.bits) : "f"(x)); }
__device__ void store(Bfloat& to, float x) {
  // Rounds to the nearest, and to the even one of two that are equally near; a NaN stays one.
  const unsigned bits = __float_as_uint(x);
  const unsigned rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  to.bits = static_cast<unsigned short>(x == x ? rounded : bits >> 16 | 0x40);
}

template <class T>
__device__ T value_of(const Scalar& scalar) {
  return scalar.pointer ? *static_cast<const T*>(scalar.pointer) : static_cast<T>(scalar.value);
}

__device__ long long element() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Level 1

template <class T>
struct Pair {
  T* x;
  T* y;
};
template <class T>
__device__ Pair<T> at(const Vectors& v, long long i) {
  return {static_cast<T*>(v.x) + i * v.x_stride, static_cast<T*>(v.y) + i * v.y_stride};
}

template <class T>
__device__ void axpy(const Vectors& v, const Scalar& alpha) {
  const long long i = element();
  if (i >= v.n) return;
  const Pair<T> p = at<T>(v, i);
  *p.y += value_of<T>(alpha) * *p.x;
}

template <class T>
__device__ void scal(const Vectors& v, const Scalar& alpha) {
  const long long i = element();
  if (i < v.n) *at<T>(v, i).x *= value_of<T>(alpha);
}

template <class T>
__device__ void copy(const Vectors& v) {
  const long long i = element();
  if (i >= v.n) return;
  const Pair<T> p = at<T>(v, i);
  *p.y = *p.x;
}

template <class T>
__device__ void swap(const Vectors& v) {
  const long long i = element();
  if (i >= v.n) return;
  const Pair<T> p = at<T>(v, i);
  const T x = *p.x;
  *p.x = *p.y;
  *p.y = x;
}

template <class T>
__device__ void rot(const Vectors& v, const Scalar& cosine, const Scalar& sine) {
  const long long i = element();
  if (i >= v.n) return;
  const Pair<T> p = at<T>(v, i);
  const T x = *p.x, y = *p.y, c = value_of<T>(cosine), s = value_of<T>(sine);
  *p.x = c * x + s * y;
  *p.y = c * y - s * x;
}

// Sums over a vector. Each says how an element joins a partial sum, how two partial sums become one, and what the result is.

struct Dot {
  template <class T>
  static __device__ void add(Partial& to, const Vectors& v, long long i) {
    const Pair<T> p = at<T>(v, i);
    to.value += static_cast<double>(number(*p.x)) * number(*p.y);
  }
  static __device__ void join(Partial& to, const Partial& other) { to.value += other.value; }
  static __device__ double result(const Partial& sum) { return sum.value; }
};

struct Asum {
  template <class T>
  static __device__ void add(Partial& to, const Vectors& v, long long i) {
    to.value += fabs(static_cast<double>(*at<T>(v, i).x));
  }
  static __device__ void join(Partial& to, const Partial& other) { to.value += other.value; }
  static __device__ double result(const Partial& sum) { return sum.value; }
};

/// The sum of squares as a factor of the largest square so far: no square overflows or vanishes.
struct Nrm2 {
  template <class T>
  static __device__ void add(Partial& to, const Vectors& v, long long i) {
    join(to, {1, fabs(static_cast<double>(*at<T>(v, i).x)), 0});
  }
  static __device__ void join(Partial& to, const Partial& other) {
    if (other.scale == 0) return;
    if (other.scale <= to.scale) {
      const double ratio = other.scale / to.scale;
      to.value += other.value * ratio * ratio;
    } else {  // larger, or no number, which the result then is as well
      const double ratio = to.scale / other.scale;
      to = {other.value + to.value * ratio * ratio, other.scale, 0};
    }
  }
  static __device__ double result(const Partial& sum) { return sum.scale * sqrt(sum.value); }
};

/// The first of the largest elements; places count from 1, and 0 is none.
struct Amax {
  template <class T>
  static __device__ void add(Partial& to, const Vectors& v, long long i) {
    join(to, {fabs(static_cast<double>(*at<T>(v, i).x)), 0, i + 1});
  }
  static __device__ void join(Partial& to, const Partial& other) {
    if (other.place == 0) return;
    const bool takes = to.place == 0 || other.value > to.value ||
                       (other.value == to.value && other.place < to.place);
    if (takes) to = other;
  }
  static __device__ long long result(const Partial& sum) { return sum.place; }
};

struct Amin {
  template <class T>
  static __device__ void add(Partial& to, const Vectors& v, long long i) {
    join(to, {fabs(static_cast<double>(*at<T>(v, i).x)), 0, i + 1});
  }
  static __device__ void join(Partial& to, const Partial& other) {
    if (other.place == 0) return;
    const bool takes = to.place == 0 || other.value < to.value ||
                       (other.value == to.value && other.place < to.place);
    if (takes) to = other;
  }
  static __device__ long long result(const Partial& sum) { return sum.place; }
};

__device__ Partial shuffled(const Partial& sum, int distance) {
  return {__shfl_down_sync(kAllLanes, sum.value, distance),
          __shfl_down_sync(kAllLanes, sum.scale, distance),
          __shfl_down_sync(kAllLanes, sum.place, distance)};
}

template <class Sum>
__device__ void join_warp(Partial& sum) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    Sum::join(sum, shuffled(sum, distance));
}

/// The block's sum, in its first thread.
template <class Sum>
__device__ void join_block(Partial& sum) {
  __shared__ Partial of_warps[kThreads / kWarp];
  join_warp<Sum>(sum);
  if (threadIdx.x % kWarp == 0) of_warps[threadIdx.x / kWarp] = sum;
  __syncthreads();
  if (threadIdx.x >= kWarp) return;
  sum = threadIdx.x < kThreads / kWarp ? of_warps[threadIdx.x] : Partial{};
  join_warp<Sum>(sum);
}

template <class Out, class Sum>
__device__ void finish(const Partial& sum, void* out) {
  store(*static_cast<Out*>(out), static_cast<decltype(number(Out{}))>(Sum::result(sum)));
}

/// One block gives the result; several leave partial sums.
template <class Sum, class T, class Out>
__device__ void reduce(const Vectors& v, Partial* partials, void* out) {
  Partial sum;
  const long long step = static_cast<long long>(gridDim.x) * kThreads;
  for (long long i = element(); i < v.n; i += step) Sum::template add<T>(sum, v, i);
  join_block<Sum>(sum);
  if (threadIdx.x != 0) return;
  if (gridDim.x == 1)
    finish<Out, Sum>(sum, out);
  else
    partials[blockIdx.x] = sum;
}

template <class Sum, class Out>
__device__ void reduce_partials(const Partial* partials, int count, void* out) {
  Partial sum;
  if (threadIdx.x < count) sum = partials[threadIdx.x];
  join_block<Sum>(sum);
  if (threadIdx.x == 0) finish<Out, Sum>(sum, out);
}

// Level 2

/// y = alpha A x + beta y. The lanes of a warp read neighbours in memory: where the rows of a column are neighbours each thread
/// takes a row, and where the elements of a row are, each warp does.
template <class T>
__device__ void gemv(int m, int n, const Scalar& alpha_at, const Matrix& a, const Vectors& v,
                     const Scalar& beta_at) {
  const T alpha = value_of<T>(alpha_at), beta = value_of<T>(beta_at);
  const bool by_warps = a.row != 1;
  const long long row = by_warps ? element() / kWarp : element();
  const int first = by_warps ? threadIdx.x % kWarp : 0, step = by_warps ? kWarp : 1;
  T sum = 0;
  if (row < m && alpha != T(0)) {
    const T* const of_row = static_cast<const T*>(a.data) + row * a.row;
    for (int j = first; j < n; j += step) sum += of_row[j * a.column] * *at<T>(v, j).x;
  }
  if (by_warps) {
    for (int distance = kWarp / 2; distance > 0; distance /= 2)
      sum += __shfl_down_sync(kAllLanes, sum, distance);
  }
  if (row >= m || first != 0) return;
  T& y = *at<T>(v, row).y;
  y = beta == T(0) ? alpha * sum : alpha * sum + beta * y;
}

/// A += alpha x y'
template <class T>
__device__ void ger(int m, int n, const Scalar& alpha, const Vectors& v, const Matrix& a) {
  const long long i = element();
  if (i >= m) return;
  const T factor = value_of<T>(alpha) * *at<T>(v, i).x;
  T* const row = static_cast<T*>(const_cast<void*>(a.data)) + i * a.row;
  for (int j = blockIdx.y; j < n; j += gridDim.y) row[j * a.column] += factor * *at<T>(v, j).y;
}

// Level 3

template <class T>
__device__ T* first_of(const Matrix& matrix, int first_batch = 0) {
  const long long batch = first_batch + static_cast<long long>(blockIdx.z);
  const void* const data = matrix.each ? matrix.each[batch] : matrix.data;
  return static_cast<T*>(const_cast<void*>(data)) + (matrix.each ? 0 : matrix.batch * batch);
}

template <class T>
__device__ T element_of(const T* first, const Matrix& matrix, long long i, long long j) {
  const bool mirrored =
      (matrix.stored == Part::lower && i < j) || (matrix.stored == Part::upper && i > j);
  return mirrored ? first[j * matrix.row + i * matrix.column]
                  : first[i * matrix.row + j * matrix.column];
}

__device__ bool is_in(Part part, int i, int j) {
  return part == Part::all || (part == Part::lower ? i >= j : i <= j);
}

constexpr int kDepth = 16;  ///< of a step along k

/// Fetches kTile x kDepth elements: the `row`s from `first_row` on and the depths from `first_depth` on, neighbours in memory by
/// neighbouring threads. What is outside of the matrix counts as 0. From one of its elements to the next, a thread steps along rows
/// or along depths alone, so that each takes few instructions.
template <int kTile, class In, class Sum>
__device__ void fetch(Sum (&tile)[kDepth][kTile], const In* first, const Matrix& matrix,
                      int first_row, int rows, int first_depth, int depths) {
  const bool rows_are_neighbours = matrix.row == 1;
  const int thread = threadIdx.x;
  const int in_row = rows_are_neighbours ? thread % kTile : thread / kDepth;
  const int in_depth = rows_are_neighbours ? thread / kTile : thread % kDepth;
  const int row_step = rows_are_neighbours ? 0 : kThreads / kDepth;
  const int depth_step = rows_are_neighbours ? kThreads / kTile : 0;
  int row = first_row + in_row, depth = first_depth + in_depth;
  const In* from = first + row * matrix.row + depth * matrix.column;
  const long long from_step = row_step * matrix.row + depth_step * matrix.column;
  Sum* to = &tile[in_depth][in_row];
  const int to_step = depth_step * kTile + row_step;
#pragma unroll
  for (int part = 0; part < kTile * kDepth / kThreads; ++part) {
    Sum value = 0;
    if (row < rows && depth < depths)
      value = number(matrix.stored == Part::all ? *from : element_of(first, matrix, row, depth));
    *to = value;
    row += row_step;
    depth += depth_step;
    from += from_step;
    to += to_step;
  }
}

__device__ Matrix transposed(const Matrix& matrix) {
  Matrix other = matrix;
  other.row = matrix.column;
  other.column = matrix.row;
  // The triangle on the other side of the diagonal.
  if (matrix.stored != Part::all)
    other.stored = matrix.stored == Part::lower ? Part::upper : Part::lower;
  return other;
}

/// Each block makes a tile of C, each thread a square of it: the `kEach` words of A and of B that it loads for a depth serve
/// kEach * kEach multiply-adds.
template <class In, class Out, class Sum, int kTile, int kEach>
__device__ void gemm(const Product& p) {
  static_assert(kTile / kEach * (kTile / kEach) == kThreads, "a thread for each square");
  __shared__ __align__(16) Sum tile_a[kDepth][kTile], tile_b[kDepth][kTile];
  const int first_row = blockIdx.x * kTile, first_column = blockIdx.y * kTile;
  const int thread_row = threadIdx.x % (kTile / kEach) * kEach;
  const int thread_column = threadIdx.x / (kTile / kEach) * kEach;
  const In* const a = first_of<In>(p.a, p.first_batch);
  const In* const b = first_of<In>(p.b, p.first_batch);
  const Matrix b_by_columns = transposed(p.b);
  const Sum alpha = value_of<Sum>(p.alpha), beta = value_of<Sum>(p.beta);
  const int depths = alpha == Sum(0) ? 0 : p.k;  // A and B are not read then

  Sum sum[kEach][kEach] = {};
  for (int first_depth = 0; first_depth < depths; first_depth += kDepth) {
    fetch(tile_a, a, p.a, first_row, p.m, first_depth, depths);
    fetch(tile_b, b, b_by_columns, first_column, p.n, first_depth, depths);
    __syncthreads();  // the tiles are whole before anyone reads them
#pragma unroll 4
    for (int depth = 0; depth < kDepth; ++depth) {
      Sum of_a[kEach], of_b[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) of_a[i] = tile_a[depth][thread_row + i];
#pragma unroll
      for (int j = 0; j < kEach; ++j) of_b[j] = tile_b[depth][thread_column + j];
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += of_a[i] * of_b[j];
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }

  Out* const c = first_of<Out>(p.c, p.first_batch);
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + thread_row + i, column = first_column + thread_column + j;
      if (row >= p.m || column >= p.n || !is_in(p.written, row, column)) continue;
      Out& to = c[row * p.c.row + column * p.c.column];
      // Where beta is 0, C may hold anything.
      const Sum before = beta == Sum(0) ? Sum(0) : beta * number(to);
      store(to, alpha * sum[i][j] + before);
    }
  }
}

/// C = alpha A + beta B; a matrix whose factor is 0 is not read.
template <class T>
__device__ void geam(const Product& p) {
  const long long i = element();
  if (i >= p.m) return;
  const T alpha = value_of<T>(p.alpha), beta = value_of<T>(p.beta);
  for (int j = blockIdx.y; j < p.n; j += gridDim.y) {
    const T of_a = alpha == T(0) ? T(0) : alpha * element_of(first_of<T>(p.a), p.a, i, j);
    const T of_b = beta == T(0) ? T(0) : beta * element_of(first_of<T>(p.b), p.b, i, j);
    first_of<T>(p.c)[i * p.c.row + j * p.c.column] = of_a + of_b;
  }
}

/// C = A with each row, or each column, times its element of x.
template <class T>
__device__ void dgmm(const Product& p, const Vectors& v, int by_rows) {
  const long long i = element();
  if (i >= p.m) return;
  for (int j = blockIdx.y; j < p.n; j += gridDim.y) {
    first_of<T>(p.c)[i * p.c.row + j * p.c.column] =
        element_of(first_of<T>(p.a), p.a, i, j) * *at<T>(v, by_rows ? i : j).x;
  }
}

/// Solves A X = alpha B in place for a triangular A, m x m: each thread a column of X, from the row that has one unknown.
template <class T>
__device__ void trsm(const Product& p, Part part, int unit_diagonal) {
  const long long column = element();
  if (column >= p.n) return;
  const T alpha = value_of<T>(p.alpha);
  const T* const a = first_of<T>(p.a);
  T* const x = first_of<T>(p.b) + column * p.b.column;
  for (int step = 0; step < p.m; ++step) {
    const int row = part == Part::lower ? step : p.m - 1 - step;
    T rest = alpha == T(0) ? T(0) : alpha * x[row * p.b.row];
    for (int known = 0; known < step; ++known) {
      const int j = part == Part::lower ? known : p.m - 1 - known;
      rest -= a[row * p.a.row + j * p.a.column] * x[j * p.b.row];
    }
    x[row * p.b.row] = unit_diagonal ? rest : rest / a[row * p.a.row + row * p.a.column];
  }
}

}  // namespace

#define REDUCTION(name, Sum, T, Out)                                                        \
  __global__ void cublas_##name(Vectors v, Partial* partials, void* out) {                  \
    reduce<Sum, T, Out>(v, partials, out);                                                  \
  }                                                                                         \
  __global__ void cublas_##name##_partials(const Partial* partials, int count, void* out) { \
    reduce_partials<Sum, Out>(partials, count, out);                                        \
  }

#define PRODUCT(name, In, Out, Sum)                                                  \
  __global__ void __launch_bounds__(kThreads) cublas_##name##gemm_64x64(Product p) { \
    gemm<In, Out, Sum, 64, 4>(p);                                                    \
  }                                                                                  \
  __global__ void __launch_bounds__(kThreads) cublas_##name##gemm_16x16(Product p) { \
    gemm<In, Out, Sum, 16, 1>(p);                                                    \
  }

#define OF_TYPE(letter, T)                                                                \
  __global__ void cublas_##letter##axpy(Vectors v, Scalar alpha) { axpy<T>(v, alpha); }   \
  __global__ void cublas_##letter##scal(Vectors v, Scalar alpha) { scal<T>(v, alpha); }   \
  __global__ void cublas_##letter##copy(Vectors v) { copy<T>(v); }                        \
  __global__ void cublas_##letter##swap(Vectors v) { swap<T>(v); }                        \
  __global__ void cublas_##letter##rot(Vectors v, Scalar cosine, Scalar sine) {           \
    rot<T>(v, cosine, sine);                                                              \
  }                                                                                       \
  REDUCTION(letter##dot, Dot, T, T)                                                       \
  REDUCTION(letter##asum, Asum, T, T)                                                     \
  REDUCTION(letter##nrm2, Nrm2, T, T)                                                     \
  REDUCTION(i##letter##amax, Amax, T, int)                                                \
  REDUCTION(i##letter##amin, Amin, T, int)                                                \
  __global__ void cublas_##letter##gemv(int m, int n, Scalar alpha, Matrix a, Vectors v,  \
                                        Scalar beta) {                                    \
    gemv<T>(m, n, alpha, a, v, beta);                                                     \
  }                                                                                       \
  __global__ void cublas_##letter##ger(int m, int n, Scalar alpha, Vectors v, Matrix a) { \
    ger<T>(m, n, alpha, v, a);                                                            \
  }                                                                                       \
  __global__ void cublas_##letter##geam(Product p) { geam<T>(p); }                        \
  __global__ void cublas_##letter##dgmm(Product p, Vectors v, int by_rows) {              \
    dgmm<T>(p, v, by_rows);                                                               \
  }                                                                                       \
  __global__ void cublas_##letter##trsm(Product p, Part part, int unit_diagonal) {        \
    trsm<T>(p, part, unit_diagonal);                                                      \
  }                                                                                       \
  PRODUCT(letter, T, T, T)

extern "C" {
OF_TYPE(s, float)
OF_TYPE(d, double)
REDUCTION(hdot, Dot, Half, Half)
REDUCTION(bdot, Dot, Bfloat, Bfloat)
PRODUCT(h, Half, Half, float)
PRODUCT(hs, Half, float, float)
PRODUCT(b, Bfloat, Bfloat, float)
PRODUCT(bs, Bfloat, float, float)
PRODUCT(i8, signed char, int, int)
}
