// Products of matrices, and what is like them: triangular systems, sums and scalings.
#include "device/runtime/libraries/cublas/handle.hpp"

#include <algorithm>

namespace warpbook::device::libraries::cublas {
namespace {

constexpr int kSmallTile = 16, kLargeTile = 64;
constexpr int kMostSmall = 32;  ///< sides of C up to which a tile of 64 would mostly be empty

/// The kernel for this size. `types` are the letters of gemm's types: "s", or "hs" for halves that give a float.
std::string gemm_kernel(const std::string& types, int tile) {
  return "cublas_" + types + "gemm_" + std::to_string(tile) + "x" + std::to_string(tile);
}

cublasStatus_t multiply(cublasHandle_t handle, const std::string& types, Product product,
                        int batches) {
  if (product.m == 0 || product.n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool small = product.m <= kMostSmall || product.n <= kMostSmall;
  const int tile = small ? kSmallTile : kLargeTile;
  dim3 grid(blocks_for(product.m, tile), blocks_for(product.n, tile));
  // A grid is 65,535 blocks deep at most.
  constexpr int kDeepest = 65535;
  for (product.first_batch = 0; product.first_batch < batches; product.first_batch += kDeepest) {
    grid.z = static_cast<unsigned>(std::min(batches - product.first_batch, kDeepest));
    const cudaError_t error =
        kernels().launch(gemm_kernel(types, tile), grid, dim3(kBlock), handle->stream, product);
    if (error != cudaSuccess) return status_of(error);
  }
  return CUBLAS_STATUS_SUCCESS;
}

/// The sizes of a product, as its functions are given them.
struct Sizes {
  cublasOperation_t op_a = CUBLAS_OP_N, op_b = CUBLAS_OP_N;
  int m = 0, n = 0, k = 0;
  int lda = 1, ldb = 1, ldc = 1;
  int batches = 1;
};

bool are_valid(const Sizes& s) {
  return is_operation(s.op_a) && is_operation(s.op_b) && s.m >= 0 && s.n >= 0 && s.k >= 0 &&
         s.batches >= 0 && holds(s.lda, s.op_a == CUBLAS_OP_N ? s.m : s.k) &&
         holds(s.ldb, s.op_b == CUBLAS_OP_N ? s.k : s.n) && holds(s.ldc, s.m);
}

Product product_of(const Sizes& s, const void* a, std::int64_t stride_a, const void* b,
                   std::int64_t stride_b, void* c, std::int64_t stride_c) {
  Product product;
  product.m = s.m;
  product.n = s.n;
  product.k = s.k;
  product.a = matrix_of(a, s.lda, s.op_a != CUBLAS_OP_N, stride_a);
  product.b = matrix_of(b, s.ldb, s.op_b != CUBLAS_OP_N, stride_b);
  product.c = matrix_of(c, s.ldc, false, stride_c);
  return product;
}

/// With a pointer for each matrix of a batch, all of them in the device's memory.
template <class T>
Product product_of_each(const Sizes& s, const T* const* a, const T* const* b, T* const* c) {
  Product product = product_of(s, nullptr, 0, nullptr, 0, nullptr, 0);
  product.a.each = reinterpret_cast<const void* const*>(a);
  product.b.each = reinterpret_cast<const void* const*>(b);
  product.c.each = reinterpret_cast<const void* const*>(c);
  return product;
}

template <class T>
cublasStatus_t gemm(cublasHandle_t handle, const Sizes& sizes, const T* alpha, const T* beta,
                    Product product) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!are_valid(sizes) || !alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
  product.alpha = scalar_of(*handle, alpha);
  product.beta = scalar_of(*handle, beta);
  return multiply(handle, std::string(1, kLetter<T>), product, sizes.batches);
}

Part part_of(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? Part::lower : Part::upper;
}
bool is_triangle(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
bool is_side(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}

template <class T>
cublasStatus_t symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m,
                    int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta,
                    T* c, int ldc) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const bool valid = is_side(side) && is_triangle(fill) && m >= 0 && n >= 0 &&
                     holds(lda, left ? m : n) && holds(ldb, m) && holds(ldc, m) && alpha && beta;
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  Product product;
  product.m = m;
  product.n = n;
  product.k = left ? m : n;
  product.alpha = scalar_of(*handle, alpha);
  product.beta = scalar_of(*handle, beta);
  Matrix symmetric = matrix_of(a, lda);
  symmetric.stored = part_of(fill);
  product.a = left ? symmetric : matrix_of(b, ldb);
  product.b = left ? matrix_of(b, ldb) : symmetric;
  product.c = matrix_of(c, ldc);
  return multiply(handle, std::string(1, kLetter<T>), product, 1);
}

template <class T>
cublasStatus_t syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n,
                    int k, const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool transpose = op != CUBLAS_OP_N;
  const bool valid = is_triangle(fill) && is_operation(op) && n >= 0 && k >= 0 &&
                     holds(lda, transpose ? k : n) && holds(ldc, n) && alpha && beta;
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  Product product;
  product.m = product.n = n;
  product.k = k;
  product.alpha = scalar_of(*handle, alpha);
  product.beta = scalar_of(*handle, beta);
  product.a = matrix_of(a, lda, transpose);
  product.b = matrix_of(a, lda, !transpose);
  product.c = matrix_of(c, ldc);
  product.written = part_of(fill);
  return multiply(handle, std::string(1, kLetter<T>), product, 1);
}

/// X op(A) = alpha B is op(A)' X' = alpha B', so that one kernel solves from both sides.
template <class T>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha,
                    const T* a, int lda, T* b, int ldb) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const bool valid = is_side(side) && is_triangle(fill) && is_operation(op) &&
                     (diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT) && m >= 0 &&
                     n >= 0 && holds(lda, left ? m : n) && holds(ldb, m) && alpha;
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool transpose = (op != CUBLAS_OP_N) != !left;
  Product product;
  product.m = left ? m : n;
  product.n = left ? n : m;
  product.alpha = scalar_of(*handle, alpha);
  product.a = matrix_of(a, lda, transpose);
  product.b = matrix_of(b, ldb, !left);
  const Part triangle = (fill == CUBLAS_FILL_MODE_LOWER) != transpose ? Part::lower : Part::upper;
  return status_of(kernels().launch(kernel_name<T>("trsm"), dim3(blocks_for(product.n)),
                                    dim3(kBlock), handle->stream, product, triangle,
                                    diagonal == CUBLAS_DIAG_UNIT ? 1 : 0));
}

template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                    int n, const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb,
                    T* c, int ldc) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool valid = is_operation(op_a) && is_operation(op_b) && m >= 0 && n >= 0 &&
                     holds(lda, op_a == CUBLAS_OP_N ? m : n) &&
                     holds(ldb, op_b == CUBLAS_OP_N ? m : n) && holds(ldc, m) && alpha && beta;
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  Product product;
  product.m = m;
  product.n = n;
  product.alpha = scalar_of(*handle, alpha);
  product.beta = scalar_of(*handle, beta);
  product.a = matrix_of(a, lda, op_a != CUBLAS_OP_N);
  product.b = matrix_of(b, ldb, op_b != CUBLAS_OP_N);
  product.c = matrix_of(c, ldc);
  return status_of(kernels().launch(kernel_name<T>("geam"), grid_of(m, n), dim3(kBlock),
                                    handle->stream, product));
}

template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a, int lda,
                    const T* x, int incx, T* c, int ldc) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool valid = is_side(side) && m >= 0 && n >= 0 && holds(lda, m) && holds(ldc, m);
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool left = side == CUBLAS_SIDE_LEFT;
  Product product;
  product.m = m;
  product.n = n;
  product.a = matrix_of(a, lda);
  product.c = matrix_of(c, ldc);
  return status_of(kernels().launch(kernel_name<T>("dgmm"), grid_of(m, n), dim3(kBlock),
                                    handle->stream, product, vectors_of<T>(left ? m : n, x, incx),
                                    left ? 1 : 0));
}

/// What gemm computes for types of elements and of the sum: the kernel's letters, and how alpha and beta are given.
struct Types {
  cudaDataType ab, c;
  cublasComputeType_t compute;
  const char* letters;
};
constexpr Types kTypes[] = {
    {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "s"},
    {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, "d"},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, "h"},
    {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "hs"},
    {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, "b"},
    {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, "bs"},
    {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, "i8"},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, "h"},
};

/// The type without what it allows beyond its own precision, none of which is made use of here.
cublasComputeType_t plain(cublasComputeType_t type) {
  switch (type) {
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC: return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUBLAS_COMPUTE_32I;
    default: return type;
  }
}

const Types* find_types(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t type) {
  for (const Types& known : kTypes)
    if (known.ab == a && a == b && known.c == c && known.compute == plain(type)) return &known;
  return nullptr;
}

/// The value of a half.
float value_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  constexpr int kBias = 15, kFractionBits = 10;
  float value = 0;
  if (exponent == 31)
    value = fraction ? __builtin_nanf("") : __builtin_inff();
  else if (exponent == 0)
    value = __builtin_ldexpf(static_cast<float>(fraction), 1 - kBias - kFractionBits);
  else
    value = __builtin_ldexpf(static_cast<float>(fraction + 1024), exponent - kBias - kFractionBits);
  return bits >> 15 != 0 ? -value : value;
}

/// A factor of the type that goes with the type of the sum. Halves, in which no kernel computes, the host has to read.
cublasStatus_t factor_of(const cublasContext& handle, cublasComputeType_t type, const void* factor,
                         Scalar& scalar) {
  switch (plain(type)) {
    case CUBLAS_COMPUTE_32F:
      scalar = scalar_of(handle, static_cast<const float*>(factor));
      return CUBLAS_STATUS_SUCCESS;
    case CUBLAS_COMPUTE_64F:
      scalar = scalar_of(handle, static_cast<const double*>(factor));
      return CUBLAS_STATUS_SUCCESS;
    case CUBLAS_COMPUTE_32I:
      scalar = scalar_of(handle, static_cast<const std::int32_t*>(factor));
      return CUBLAS_STATUS_SUCCESS;
    default: break;
  }
  if (handle.pointers == CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_NOT_SUPPORTED;
  scalar = {value_of_half(*static_cast<const std::uint16_t*>(factor)), nullptr};
  return CUBLAS_STATUS_SUCCESS;
}

/// The types of a product's elements.
struct ElementTypes {
  cudaDataType a, b, c;
  cublasComputeType_t compute;
};

constexpr ElementTypes kHalves{CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F};

cublasStatus_t gemm_ex(cublasHandle_t handle, const Sizes& sizes, const ElementTypes& types,
                       const void* alpha, const void* beta, Product product) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!are_valid(sizes) || !alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
  const Types* const found = find_types(types.a, types.b, types.c, types.compute);
  if (!found) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (const auto status = factor_of(*handle, types.compute, alpha, product.alpha)) return status;
  if (const auto status = factor_of(*handle, types.compute, beta, product.beta)) return status;
  return multiply(handle, found->letters, product, sizes.batches);
}

}  // namespace
}  // namespace warpbook::device::libraries::cublas

using namespace warpbook::device::libraries::cublas;

#define OF_TYPE(L, T)                                                                              \
  cublasStatus_t cublas##L##gemm_v2(                                                               \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {    \
    const Sizes sizes{op_a, op_b, m, n, k, lda, ldb, ldc, 1};                                      \
    return gemm(handle, sizes, alpha, beta, product_of(sizes, a, 0, b, 0, c, 0));                  \
  }                                                                                                \
  cublasStatus_t cublas##L##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,     \
      T* const c[], int ldc, int batches) {                                                        \
    const Sizes sizes{op_a, op_b, m, n, k, lda, ldb, ldc, batches};                                \
    return gemm(handle, sizes, alpha, beta, product_of_each(sizes, a, b, c));                      \
  }                                                                                                \
  cublasStatus_t cublas##L##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,                \
      long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int batches) {         \
    const Sizes sizes{op_a, op_b, m, n, k, lda, ldb, ldc, batches};                                \
    return gemm(handle, sizes, alpha, beta,                                                        \
                product_of(sizes, a, stride_a, b, stride_b, c, stride_c));                         \
  }                                                                                                \
  cublasStatus_t cublas##L##symm_v2(                                                               \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,           \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {    \
    return symm(handle, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);                    \
  }                                                                                                \
  cublasStatus_t cublas##L##syrk_v2(cublasHandle_t handle, cublasFillMode_t fill,                  \
                                    cublasOperation_t op, int n, int k, const T* alpha,            \
                                    const T* a, int lda, const T* beta, T* c, int ldc) {           \
    return syrk(handle, fill, op, n, k, alpha, a, lda, beta, c, ldc);                              \
  }                                                                                                \
  cublasStatus_t cublas##L##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,                  \
                                    cublasFillMode_t fill, cublasOperation_t op,                   \
                                    cublasDiagType_t diagonal, int m, int n, const T* alpha,       \
                                    const T* a, int lda, T* b, int ldb) {                          \
    return trsm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);                    \
  }                                                                                                \
  cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t op_a,                    \
                                 cublasOperation_t op_b, int m, int n, const T* alpha, const T* a, \
                                 int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {     \
    return geam(handle, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                    \
  }                                                                                                \
  cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,       \
                                 const T* a, int lda, const T* x, int incx, T* c, int ldc) {       \
    return dgmm(handle, side, m, n, a, lda, x, incx, c, ldc);                                      \
  }

OF_TYPE(S, float)
OF_TYPE(D, double)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                            int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute_type, cublasGemmAlgo_t) {
  const Sizes sizes{op_a, op_b, m, n, k, lda, ldb, ldc, 1};
  return gemm_ex(handle, sizes, {a_type, b_type, c_type, compute_type}, alpha, beta,
                 product_of(sizes, a, 0, b, 0, c, 0));
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType a_type,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType b_type, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType c_type, int ldc,
                                          long long stride_c, int batches,
                                          cublasComputeType_t compute_type, cublasGemmAlgo_t) {
  const Sizes sizes{op_a, op_b, m, n, k, lda, ldb, ldc, batches};
  return gemm_ex(handle, sizes, {a_type, b_type, c_type, compute_type}, alpha, beta,
                 product_of(sizes, a, stride_a, b, stride_b, c, stride_c));
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const __half* alpha, const __half* a, int lda,
                           const __half* b, int ldb, const __half* beta, __half* c, int ldc) {
  const Sizes sizes{op_a, op_b, m, n, k, lda, ldb, ldc, 1};
  return gemm_ex(handle, sizes, kHalves, alpha, beta, product_of(sizes, a, 0, b, 0, c, 0));
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                  cublasOperation_t op_b, int m, int n, int k, const __half* alpha,
                                  const __half* const a[], int lda, const __half* const b[],
                                  int ldb, const __half* beta, __half* const c[], int ldc,
                                  int batches) {
  const Sizes sizes{op_a, op_b, m, n, k, lda, ldb, ldc, batches};
  return gemm_ex(handle, sizes, kHalves, alpha, beta, product_of_each(sizes, a, b, c));
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const __half* alpha, const __half* a, int lda,
                                         long long stride_a, const __half* b, int ldb,
                                         long long stride_b, const __half* beta, __half* c, int ldc,
                                         long long stride_c, int batches) {
  const Sizes sizes{op_a, op_b, m, n, k, lda, ldb, ldc, batches};
  return gemm_ex(handle, sizes, kHalves, alpha, beta,
                 product_of(sizes, a, stride_a, b, stride_b, c, stride_c));
}
