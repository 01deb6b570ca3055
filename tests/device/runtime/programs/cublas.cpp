// cuBLAS: every function of ours against plain loops, and the errors that NVIDIA documents.
#include <cublas_v2.h>

#include <algorithm>
#include <array>

#include "tests/device/runtime/programs/library_program.hpp"

namespace {

using namespace program;

/// The functions of one precision under one name.
template <class T>
struct Blas;
#define OF_TYPE(T, L, l)                                           \
  template <>                                                      \
  struct Blas<T> {                                                 \
    static constexpr auto axpy = cublas##L##axpy;                  \
    static constexpr auto scal = cublas##L##scal;                  \
    static constexpr auto copy = cublas##L##copy;                  \
    static constexpr auto swap = cublas##L##swap;                  \
    static constexpr auto rot = cublas##L##rot;                    \
    static constexpr auto dot = cublas##L##dot;                    \
    static constexpr auto nrm2 = cublas##L##nrm2;                  \
    static constexpr auto asum = cublas##L##asum;                  \
    static constexpr auto amax = cublasI##l##amax;                 \
    static constexpr auto amin = cublasI##l##amin;                 \
    static constexpr auto gemv = cublas##L##gemv;                  \
    static constexpr auto ger = cublas##L##ger;                    \
    static constexpr auto gemm = cublas##L##gemm;                  \
    static constexpr auto batched = cublas##L##gemmBatched;        \
    static constexpr auto strided = cublas##L##gemmStridedBatched; \
    static constexpr auto symm = cublas##L##symm;                  \
    static constexpr auto syrk = cublas##L##syrk;                  \
    static constexpr auto trsm = cublas##L##trsm;                  \
    static constexpr auto geam = cublas##L##geam;                  \
    static constexpr auto dgmm = cublas##L##dgmm;                  \
  };
OF_TYPE(float, S, s)
OF_TYPE(double, D, d)
#undef OF_TYPE

class Handle {
 public:
  Handle() { done(cublasCreate(&handle_)); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { done(cublasDestroy(handle_)); }
  operator cublasHandle_t() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

constexpr std::array kSizes{1, 31, 32, 33, 257, 5000};
constexpr std::array kStrides{1, 2, -1, -3};
constexpr std::array kOperations{CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

/// The place of a vector's element i (BLAS: a negative stride begins at its end).
std::size_t place(int i, int n, int stride) {
  return static_cast<std::size_t>(stride > 0 ? i * stride : (i - n + 1) * stride);
}
std::size_t length(int n, int stride) {
  return static_cast<std::size_t>(n) * static_cast<std::size_t>(std::abs(stride));
}

template <class T>
std::vector<double> wide(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

template <class T>
void vectors_of(int n, int incx, int incy) {
  const Handle handle;
  const std::vector<T> x = numbers<T>(length(n, incx), 1), y = numbers<T>(length(n, incy), 2);
  const T alpha = static_cast<T>(0.75), c = static_cast<T>(0.6), s = static_cast<T>(0.8);
  std::vector<double> sum = wide(y), copied = wide(y), turned_x = wide(x), turned_y = wide(y);
  double dot = 0;
  for (int i = 0; i < n; ++i) {
    const std::size_t at_x = place(i, n, incx), at_y = place(i, n, incy);
    sum[at_y] += static_cast<double>(alpha) * x[at_x];
    copied[at_y] = x[at_x];
    dot += static_cast<double>(x[at_x]) * y[at_y];
    turned_x[at_x] = static_cast<double>(c) * x[at_x] + static_cast<double>(s) * y[at_y];
    turned_y[at_y] = static_cast<double>(c) * y[at_y] - static_cast<double>(s) * x[at_x];
  }
  const Array<T> dx(x);
  const Array<T> added(y), copy(y), other_x(x), other_y(y);
  T result = 0;
  done(Blas<T>::axpy(handle, n, &alpha, dx, incx, added, incy));
  done(Blas<T>::copy(handle, n, dx, incx, copy, incy));
  done(Blas<T>::dot(handle, n, dx, incx, other_y, incy, &result));
  done(Blas<T>::rot(handle, n, other_x, incx, other_y, incy, &c, &s));
  expect_all_near(added.values(), sum, tolerance<T>(1));
  expect_all_near(copy.values(), copied, 0);
  expect_near(result, dot, tolerance<T>(n));
  expect_all_near(other_x.values(), turned_x, tolerance<T>(1));
  expect_all_near(other_y.values(), turned_y, tolerance<T>(1));
  const Array<T> one(x), two(y);
  done(Blas<T>::swap(handle, n, one, incx, two, incy));
  done(Blas<T>::swap(handle, n, two, incy, one, incx));
  expect_all_near(one.values(), wide(x), 0);
  expect_all_near(two.values(), wide(y), 0);
}

template <class T>
void one_vector_of(int n, int incx) {
  const Handle handle;
  const std::vector<T> x = numbers<T>(length(n, incx));
  const T alpha = static_cast<T>(-1.5);
  std::vector<double> scaled = wide(x);
  double squares = 0, sum = 0;
  int largest = 0, smallest = 0;
  for (int i = 0; i < n; ++i) {
    const auto size = [&](int at) { return std::fabs(x[place(at, n, incx)]); };
    scaled[place(i, n, incx)] *= alpha;
    squares += static_cast<double>(size(i)) * size(i);
    sum += size(i);
    if (size(i) > size(largest)) largest = i;
    if (size(i) < size(smallest)) smallest = i;
  }
  const Array<T> dx(x);
  T norm = 0, total = 0;
  int most = 0, least = 0;
  done(Blas<T>::nrm2(handle, n, dx, incx, &norm));
  done(Blas<T>::asum(handle, n, dx, incx, &total));
  done(Blas<T>::amax(handle, n, dx, incx, &most));
  done(Blas<T>::amin(handle, n, dx, incx, &least));
  done(Blas<T>::scal(handle, n, &alpha, dx, incx));
  expect_near(norm, std::sqrt(squares), tolerance<T>(n));
  expect_near(total, sum, tolerance<T>(n));
  expect_equal(most, largest + 1);
  expect_equal(least, smallest + 1);
  expect_all_near(dx.values(), scaled, tolerance<T>(1));
}

void vectors() {
  for (const int n : kSizes) {
    for (const int incx : kStrides) {
      for (const int incy : kStrides) {
        vectors_of<float>(n, incx, incy);
        vectors_of<double>(n, incx, incy);
      }
      if (incx < 0) continue;
      one_vector_of<float>(n, incx);
      one_vector_of<double>(n, incx);
    }
  }
}

/// Sums of nothing, squares that no type holds, equal elements, and a number that is none.
void edges() {
  const Handle handle;
  const Array<double> huge(std::vector<double>{3e200, 4e200}),
      tiny(std::vector<double>{3e-200, 4e-200});
  const Array<float> equal(std::vector<float>{1, -2, 2, -2}), none(std::vector<float>{1, NAN});
  double norm = 0;
  float result = 1;
  int at = 5;
  done(cublasDnrm2(handle, 2, huge, 1, &norm));
  expect_near(norm / 1e200, 5, 1e-14);
  done(cublasDnrm2(handle, 2, tiny, 1, &norm));
  expect_near(norm * 1e200, 5, 1e-14);
  done(cublasSnrm2(handle, 2, none, 1, &result));
  expect_true(std::isnan(result));
  done(cublasIsamax(handle, 4, equal, 1, &at));
  expect_equal(at, 2);
  done(cublasIsamax(handle, 0, equal, 1, &at));
  expect_equal(at, 0);
  done(cublasIsamin(handle, 4, equal, 0, &at));
  expect_equal(at, 0);
  done(cublasSdot(handle, 0, equal, 1, equal, 1, &result));
  expect_equal(result, 0.0f);
  done(cublasSasum(handle, -1, equal, 1, &result));
  expect_equal(result, 0.0f);
}

/// A column-major matrix and one operation on it.
template <class T>
struct Operand {
  std::vector<T> values;
  int leading = 1;
  bool transposed = false;

  Operand(int rows, int columns, cublasOperation_t op, unsigned seed, int padding = 3)
      : transposed(op != CUBLAS_OP_N) {
    const int stored_rows = transposed ? columns : rows,
              stored_columns = transposed ? rows : columns;
    leading = std::max(stored_rows, 1) + padding;
    values = numbers<T>(
        static_cast<std::size_t>(leading) * static_cast<std::size_t>(std::max(stored_columns, 1)),
        seed);
  }
  [[nodiscard]] std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(transposed ? j + i * leading : i + j * leading);
  }
  [[nodiscard]] double of(int i, int j) const { return values[at(i, j)]; }
};

template <class T>
void gemv_of(int m, int n, cublasOperation_t op, int incx, int incy, T beta) {
  const Handle handle;
  const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
  const Operand<T> a(rows, columns, op, 1);
  const std::vector<T> x = numbers<T>(length(columns, incx), 2),
                       y = numbers<T>(length(rows, incy), 3);
  const T alpha = static_cast<T>(1.25);
  std::vector<double> exact = wide(y);
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) sum += a.of(i, j) * x[place(j, columns, incx)];
    double& to = exact[place(i, rows, incy)];
    to = alpha * sum + beta * to;
  }
  const Array<T> da(a.values), dx(x), dy(y);
  done(Blas<T>::gemv(handle, op, m, n, &alpha, da, a.leading, dx, incx, &beta, dy, incy));
  expect_all_near(dy.values(), exact, tolerance<T>(columns));
}

template <class T>
void ger_of(int m, int n, int incx, int incy) {
  const Handle handle;
  const Operand<T> a(m, n, CUBLAS_OP_N, 1);
  const std::vector<T> x = numbers<T>(length(m, incx), 2), y = numbers<T>(length(n, incy), 3);
  const T alpha = static_cast<T>(-0.5);
  std::vector<double> exact = wide(a.values);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      exact[a.at(i, j)] += static_cast<double>(alpha) * x[place(i, m, incx)] * y[place(j, n, incy)];
  const Array<T> da(a.values), dx(x), dy(y);
  done(Blas<T>::ger(handle, m, n, &alpha, dx, incx, dy, incy, da, a.leading));
  expect_all_near(da.values(), exact, tolerance<T>(1));
}

template <class T>
void matrix_and_vector_of() {
  for (const auto& [m, n] :
       {std::pair(1, 1), std::pair(33, 7), std::pair(5, 130), std::pair(300, 41)}) {
    for (const cublasOperation_t op : kOperations) {
      gemv_of<T>(m, n, op, 1, 1, T(0));
      gemv_of<T>(m, n, op, 2, -1, T(0.5));
      gemv_of<T>(m, n, op, -1, 3, T(1));
    }
    ger_of<T>(m, n, 1, 1);
    ger_of<T>(m, n, -2, 3);
  }
}
void matrix_and_vector() {
  matrix_and_vector_of<float>();
  matrix_and_vector_of<double>();
}

/// C = alpha A B + beta C, exactly.
template <class T>
std::vector<double> product(const Operand<T>& a, const Operand<T>& b, const Operand<T>& c, int m,
                            int n, int k, double alpha, double beta) {
  std::vector<double> exact = wide(c.values);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += a.of(i, l) * b.of(l, j);
      exact[c.at(i, j)] = alpha * sum + beta * c.of(i, j);
    }
  }
  return exact;
}

template <class T>
void gemm_of(int m, int n, int k, cublasOperation_t op_a, cublasOperation_t op_b, T alpha, T beta) {
  const Handle handle;
  const Operand<T> a(m, k, op_a, 1), b(k, n, op_b, 2), c(m, n, CUBLAS_OP_N, 3);
  const Array<T> da(a.values), db(b.values), dc(c.values);
  done(Blas<T>::gemm(handle, op_a, op_b, m, n, k, &alpha, da, a.leading, db, b.leading, &beta, dc,
                     c.leading));
  expect_all_near(dc.values(), product(a, b, c, m, n, k, alpha, beta), tolerance<T>(k));
}

template <class T>
void products_of() {
  struct Size {
    int m, n, k;
  };
  for (const Size& s :
       {Size{1, 1, 1}, {17, 5, 9}, {33, 34, 31}, {64, 64, 16}, {70, 129, 33}, {3, 100, 0}})
    for (const cublasOperation_t op_a : kOperations)
      for (const cublasOperation_t op_b : kOperations)
        gemm_of<T>(s.m, s.n, s.k, op_a, op_b, T(1.5), T(-0.5));
  gemm_of<T>(40, 40, 40, CUBLAS_OP_N, CUBLAS_OP_N, T(0), T(2));
}
void products() {
  products_of<float>();
  products_of<double>();
}

/// Where beta is 0, C is not read; where alpha is, neither A nor B.
void unread() {
  const Handle handle;
  const Array<float> numbers_of_a(std::vector<float>(16, 2)), none(std::vector<float>(16, NAN));
  const float zero = 0, one = 1;
  const Array<float> c(std::vector<float>(16, NAN));
  done(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, numbers_of_a, 4, numbers_of_a,
                   4, &zero, c, 4));
  expect_all_near(c.values(), std::vector<double>(16, 16), 0);
  done(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &zero, none, 4, none, 4, &one, c, 4));
  expect_all_near(c.values(), std::vector<double>(16, 16), 0);
}

template <class T>
void batches_of() {
  constexpr int kM = 19, kN = 35, kK = 20, kBatches = 5;
  const Handle handle;
  const T alpha = 1, beta = T(0.5);
  std::vector<T> all_a, all_b, all_c;
  std::vector<double> exact;
  int lda = 0, ldb = 0, ldc = 0;
  for (unsigned batch = 0; batch < kBatches; ++batch) {
    const Operand<T> a(kM, kK, CUBLAS_OP_N, batch), b(kK, kN, CUBLAS_OP_T, 10 + batch),
        c(kM, kN, CUBLAS_OP_N, 20 + batch);
    const auto result = product(a, b, c, kM, kN, kK, alpha, beta);
    all_a.insert(all_a.end(), a.values.begin(), a.values.end());
    all_b.insert(all_b.end(), b.values.begin(), b.values.end());
    all_c.insert(all_c.end(), c.values.begin(), c.values.end());
    exact.insert(exact.end(), result.begin(), result.end());
    lda = a.leading, ldb = b.leading, ldc = c.leading;
  }
  const auto stride = [](const std::vector<T>& all) {
    return static_cast<long long>(all.size() / kBatches);
  };
  const Array<T> da(all_a), db(all_b), dc(all_c), other_c(all_c);
  done(Blas<T>::strided(handle, CUBLAS_OP_N, CUBLAS_OP_T, kM, kN, kK, &alpha, da, lda,
                        stride(all_a), db, ldb, stride(all_b), &beta, dc, ldc, stride(all_c),
                        kBatches));
  expect_all_near(dc.values(), exact, tolerance<T>(kK));
  std::vector<T*> each_a, each_b, each_c;
  for (int batch = 0; batch < kBatches; ++batch) {
    each_a.push_back(da + batch * stride(all_a));
    each_b.push_back(db + batch * stride(all_b));
    each_c.push_back(other_c + batch * stride(all_c));
  }
  const Array<T*> pointers_a(each_a), pointers_b(each_b), pointers_c(each_c);
  done(Blas<T>::batched(handle, CUBLAS_OP_N, CUBLAS_OP_T, kM, kN, kK, &alpha, pointers_a, lda,
                        pointers_b, ldb, &beta, pointers_c, ldc, kBatches));
  expect_all_near(other_c.values(), exact, tolerance<T>(kK));
}
void batches() {
  batches_of<float>();
  batches_of<double>();
}

template <class T>
void symmetric_of(cublasSideMode_t side, cublasFillMode_t fill) {
  constexpr int kM = 40, kN = 37;
  const Handle handle;
  const T alpha = T(0.5), beta = T(2);
  const int order = side == CUBLAS_SIDE_LEFT ? kM : kN;
  Operand<T> a(order, order, CUBLAS_OP_N, 1);
  const Operand<T> b(kM, kN, CUBLAS_OP_N, 2), c(kM, kN, CUBLAS_OP_N, 3);
  Operand<T> full = a;
  for (int i = 0; i < order; ++i) {
    for (int j = 0; j < order; ++j) {
      const bool stored = fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
      if (stored) continue;
      full.values[full.at(i, j)] = a.values[a.at(j, i)];
      a.values[a.at(i, j)] = T(NAN);  // nobody reads it
    }
  }
  const Array<T> da(a.values), db(b.values), dc(c.values);
  done(Blas<T>::symm(handle, side, fill, kM, kN, &alpha, da, a.leading, db, b.leading, &beta, dc,
                     c.leading));
  const auto exact = side == CUBLAS_SIDE_LEFT ? product(full, b, c, kM, kN, kM, alpha, beta)
                                              : product(b, full, c, kM, kN, kN, alpha, beta);
  expect_all_near(dc.values(), exact, tolerance<T>(order));
}

template <class T>
void rank_k_of(cublasFillMode_t fill, cublasOperation_t op) {
  constexpr int kN = 70, kK = 21;
  const Handle handle;
  const T alpha = T(-1), beta = T(0.25);
  const Operand<T> a(kN, kK, op, 1), c(kN, kN, CUBLAS_OP_N, 2);
  std::vector<double> exact = wide(c.values);
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) continue;
      double sum = 0;
      for (int l = 0; l < kK; ++l) sum += a.of(i, l) * a.of(j, l);
      exact[c.at(i, j)] = alpha * sum + beta * c.of(i, j);
    }
  }
  const Array<T> da(a.values), dc(c.values);
  done(Blas<T>::syrk(handle, fill, op, kN, kK, &alpha, da, a.leading, &beta, dc, c.leading));
  expect_all_near(dc.values(), exact, tolerance<T>(kK));
}

/// Solves, and multiplies again.
template <class T>
void triangular_of(cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                   cublasDiagType_t diagonal) {
  constexpr int kM = 12, kN = 9;
  const Handle handle;
  const T alpha = T(2);
  const int order = side == CUBLAS_SIDE_LEFT ? kM : kN;
  Operand<T> a(order, order, op, 1);
  const Operand<T> b(kM, kN, CUBLAS_OP_N, 2);
  // What is outside of the triangle, and the ones on the diagonal, nobody reads.
  Operand<T> exact_a = a;
  for (int i = 0; i < order; ++i) {
    for (int j = 0; j < order; ++j) {
      const auto stored = static_cast<std::size_t>(i + j * a.leading);
      if (i == j) {
        a.values[stored] = diagonal == CUBLAS_DIAG_UNIT ? T(NAN) : T(2) + T(i) / 10;
        exact_a.values[stored] = diagonal == CUBLAS_DIAG_UNIT ? T(1) : a.values[stored];
      } else if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) {
        a.values[stored] = T(NAN);
        exact_a.values[stored] = 0;
      }
    }
  }
  const Array<T> da(a.values), dx(b.values);
  done(Blas<T>::trsm(handle, side, fill, op, diagonal, kM, kN, &alpha, da, a.leading, dx,
                     b.leading));
  Operand<T> x = b;
  x.values = dx.values();
  Operand<T> nothing = b;
  const auto again = side == CUBLAS_SIDE_LEFT ? product(exact_a, x, nothing, kM, kN, kM, 1, 0)
                                              : product(x, exact_a, nothing, kM, kN, kN, 1, 0);
  std::vector<double> wanted = wide(b.values);
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) wanted[b.at(i, j)] = alpha * b.of(i, j);
  std::vector<T> got(again.begin(), again.end());
  // A row of a triangle with ones on its diagonal may make X large.
  expect_all_near(got, wanted, tolerance<T>(kM) * 1e3);
}

template <class T>
void special_matrices_of() {
  for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
      symmetric_of<T>(side, fill);
      for (const auto op : kOperations)
        for (const auto diagonal : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT})
          triangular_of<T>(side, fill, op, diagonal);
    }
    for (const auto op : kOperations) rank_k_of<T>(fill, op);
  }
}
void special_matrices() {
  special_matrices_of<float>();
  special_matrices_of<double>();
}

template <class T>
void sums_of() {
  constexpr int kM = 45, kN = 300;
  const Handle handle;
  const T alpha = T(2), beta = T(-1);
  for (const auto op_a : kOperations) {
    for (const auto op_b : kOperations) {
      const Operand<T> a(kM, kN, op_a, 1), b(kM, kN, op_b, 2), c(kM, kN, CUBLAS_OP_N, 3);
      std::vector<double> exact = wide(c.values);
      for (int i = 0; i < kM; ++i)
        for (int j = 0; j < kN; ++j) exact[c.at(i, j)] = alpha * a.of(i, j) + beta * b.of(i, j);
      const Array<T> da(a.values), db(b.values), dc(c.values);
      done(Blas<T>::geam(handle, op_a, op_b, kM, kN, &alpha, da, a.leading, &beta, db, b.leading,
                         dc, c.leading));
      expect_all_near(dc.values(), exact, tolerance<T>(2));
    }
  }
  for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
    const int length_of_x = side == CUBLAS_SIDE_LEFT ? kM : kN;
    const Operand<T> a(kM, kN, CUBLAS_OP_N, 1), c(kM, kN, CUBLAS_OP_N, 2);
    const std::vector<T> x = numbers<T>(length(length_of_x, -2), 3);
    std::vector<double> exact = wide(c.values);
    for (int i = 0; i < kM; ++i)
      for (int j = 0; j < kN; ++j)
        exact[c.at(i, j)] =
            a.of(i, j) * x[place(side == CUBLAS_SIDE_LEFT ? i : j, length_of_x, -2)];
    const Array<T> da(a.values), dx(x), dc(c.values);
    done(Blas<T>::dgmm(handle, side, kM, kN, da, a.leading, dx, -2, dc, c.leading));
    expect_all_near(dc.values(), exact, tolerance<T>(1));
  }
}
void sums() {
  sums_of<float>();
  sums_of<double>();
}

/// Halves of small whole numbers, with which all types compute exactly.
void mixed_types() {
  constexpr int kN = 40;
  constexpr auto kCount = static_cast<std::size_t>(kN) * kN;
  constexpr std::uint16_t kHalfTwo = 0x4000, kBfloatTwo = 0x4000, kHalf160 = 0x5900,
                          kBfloat160 = 0x4320;
  const Handle handle;
  const float one = 1, zero = 0;
  const std::int32_t whole = 1, nothing = 0;
  const std::uint16_t half_one = 0x3c00, half_zero = 0;
  const Array<std::uint16_t> half(kCount, kHalfTwo), bfloat(kCount, kBfloatTwo), c(kCount);
  const Array<float> wide_c(kCount);
  const Array<std::int8_t> bytes(kCount, std::int8_t(2));
  const Array<std::int32_t> words(kCount);
  const auto gemm = [&](const void* ab, cudaDataType ab_type, void* to, cudaDataType type,
                        cublasComputeType_t compute, const void* alpha, const void* beta) {
    return cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, kN, kN, kN, alpha, ab, ab_type, kN, ab,
                        ab_type, kN, beta, to, type, kN, compute, CUBLAS_GEMM_DEFAULT);
  };
  done(gemm(half, CUDA_R_16F, c, CUDA_R_16F, CUBLAS_COMPUTE_32F, &one, &zero));
  expect_true(c.values() == std::vector<std::uint16_t>(kCount, kHalf160));
  done(gemm(half, CUDA_R_16F, c, CUDA_R_16F, CUBLAS_COMPUTE_16F, &half_one, &half_zero));
  expect_true(c.values() == std::vector<std::uint16_t>(kCount, kHalf160));
  done(gemm(half, CUDA_R_16F, wide_c, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one, &zero));
  expect_true(wide_c.values() == std::vector<float>(kCount, 160));
  done(gemm(bfloat, CUDA_R_16BF, c, CUDA_R_16BF, CUBLAS_COMPUTE_32F_FAST_16BF, &one, &zero));
  expect_true(c.values() == std::vector<std::uint16_t>(kCount, kBfloat160));
  done(gemm(bytes, CUDA_R_8I, words, CUDA_R_32I, CUBLAS_COMPUTE_32I, &whole, &nothing));
  expect_true(words.values() == std::vector<std::int32_t>(kCount, 160));
  expect_status(gemm(bytes, CUDA_R_8I, words, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one, &zero),
                CUBLAS_STATUS_NOT_SUPPORTED);
  std::uint16_t dot = 0;
  done(cublasDotEx(handle, kN, half, CUDA_R_16F, 1, half, CUDA_R_16F, 1, &dot, CUDA_R_16F,
                   CUDA_R_32F));
  expect_equal(dot, kHalf160);
  done(cublasDotEx(handle, kN, bfloat, CUDA_R_16BF, 1, bfloat, CUDA_R_16BF, 1, &dot, CUDA_R_16BF,
                   CUDA_R_32F));
  expect_equal(dot, kBfloat160);
  expect_status(cublasDotEx(handle, kN, bytes, CUDA_R_8I, 1, bytes, CUDA_R_8I, 1, &dot, CUDA_R_8I,
                            CUDA_R_32F),
                CUBLAS_STATUS_NOT_SUPPORTED);
}

/// Factors and results in the device's memory, and nobody waits.
void device_pointers() {
  const Handle handle;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_DEVICE;
  done(cublasGetPointerMode(handle, &mode));
  expect_equal(static_cast<int>(mode), static_cast<int>(CUBLAS_POINTER_MODE_HOST));
  done(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  const Array<float> x(10000, 1.0f), y(10000, 2.0f), alpha(1, 3.0f), result(1);
  const Array<int> at(1);
  done(cublasSaxpy(handle, 10000, alpha, x, 1, y, 1));
  done(cublasSdot(handle, 10000, x, 1, y, 1, result));
  done(cublasIsamax(handle, 10000, y, 1, at));
  expect_equal(result.values()[0], 50000.0f);
  expect_equal(at.values()[0], 1);
}

void streams() {
  const Handle handle;
  cudaStream_t stream = nullptr, current = nullptr;
  ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  done(cublasSetStream(handle, stream));
  done(cublasGetStream(handle, &current));
  expect_true(current == stream);
  const Array<float> x(100, 1.0f);
  const float alpha = 2;
  float sum = 0;
  done(cublasSscal(handle, 100, &alpha, x, 1));
  done(cublasSasum(handle, 100, x, 1, &sum));
  expect_equal(sum, 200.0f);
  ok(cudaStreamDestroy(stream));
}

void copies() {
  const std::vector<float> x = numbers<float>(24);
  const Array<float> device(24);
  std::vector<float> back(24, 0);
  done(cublasSetVector(8, sizeof(float), x.data(), 3, device, 2));
  done(cublasGetVector(8, sizeof(float), device, 2, back.data(), 1));
  for (std::size_t i = 0; i < 8; ++i) expect_equal(back[i], x[3 * i]);
  done(cublasSetMatrix(3, 4, sizeof(float), x.data(), 6, device, 5));
  done(cublasGetMatrix(3, 4, sizeof(float), device, 5, back.data(), 3));
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t i = 0; i < 3; ++i) expect_equal(back[i + 3 * j], x[i + 6 * j]);
  done(cublasSetMatrixAsync(3, 4, sizeof(float), x.data(), 6, device, 3, nullptr));
  done(cublasGetVectorAsync(12, sizeof(float), device, 1, back.data(), 1, nullptr));
  ok(cudaDeviceSynchronize());
  expect_equal(back[11], x[20]);
  expect_status(cublasSetVector(1, 0, x.data(), 1, device, 1), CUBLAS_STATUS_INVALID_VALUE);
  expect_status(cublasSetMatrix(3, 4, 4, x.data(), 2, device, 3), CUBLAS_STATUS_INVALID_VALUE);
  expect_status(cublasGetVector(1, 4, device, 0, back.data(), 1), CUBLAS_STATUS_INVALID_VALUE);
}

void errors() {
  const Array<float> x(16);
  const float one = 1;
  float result = 0;
  expect_status(cublasSaxpy(nullptr, 1, &one, x, 1, x, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  expect_status(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  expect_status(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  const Handle handle;
  const auto gemm = [&](int m, int n, int k, int lda, int ldb, int ldc) {
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &one, x, lda, x, ldb, &one, x,
                       ldc);
  };
  expect_status(gemm(-1, 2, 2, 2, 2, 2), CUBLAS_STATUS_INVALID_VALUE);
  expect_status(gemm(2, 2, 2, 1, 2, 2), CUBLAS_STATUS_INVALID_VALUE);
  expect_status(gemm(2, 3, 2, 2, 2, 2), CUBLAS_STATUS_INVALID_VALUE);
  expect_status(gemm(2, 2, 2, 2, 2, 1), CUBLAS_STATUS_INVALID_VALUE);
  done(gemm(0, 2, 2, 1, 2, 1));
  expect_status(cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, x, 2, x, 0, &one, x, 1),
                CUBLAS_STATUS_INVALID_VALUE);
  expect_status(
      cublasSgemv(handle, static_cast<cublasOperation_t>(9), 2, 2, &one, x, 2, x, 1, &one, x, 1),
      CUBLAS_STATUS_INVALID_VALUE);
  expect_status(cublasSger(handle, 4, 1, &one, x, 1, x, 1, x, 3), CUBLAS_STATUS_INVALID_VALUE);
  expect_status(cublasSdot(handle, 1, x, 1, x, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  expect_status(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_FULL, CUBLAS_OP_N,
                            CUBLAS_DIAG_UNIT, 2, 2, &one, x, 2, x, 2),
                CUBLAS_STATUS_INVALID_VALUE);
  expect_status(cublasSetMathMode(handle, static_cast<cublasMath_t>(77)),
                CUBLAS_STATUS_INVALID_VALUE);
  done(cublasSnrm2(handle, 4, x, 1, &result));
}

void naming() {
  expect_true(std::string(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED)) ==
              "CUBLAS_STATUS_NOT_SUPPORTED");
  expect_true(std::string(cublasGetStatusString(CUBLAS_STATUS_SUCCESS)) == "success");
  int version = 0, major = 0;
  const Handle handle;
  done(cublasGetVersion(handle, &version));
  done(cublasGetProperty(MAJOR_VERSION, &major));
  expect_equal(version / 10000, 13);
  expect_equal(major, 13);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 101;
  return run_case(argv[2], {{"vectors", vectors},
                            {"edges", edges},
                            {"matrix-and-vector", matrix_and_vector},
                            {"products", products},
                            {"unread", unread},
                            {"batches", batches},
                            {"special-matrices", special_matrices},
                            {"sums", sums},
                            {"mixed-types", mixed_types},
                            {"device-pointers", device_pointers},
                            {"streams", streams},
                            {"copies", copies},
                            {"errors", errors},
                            {"naming", naming}});
}
