// Matrix products on tensor cores as students write them: nvcuda::wmma in every type, and mma.sync with ldmatrix.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

template <class T>
struct Multiplicand {
  using Stored = T;
  static __device__ T of(T v) { return v; }
};
template <>
struct Multiplicand<wmma::precision::tf32> {
  using Stored = float;
  static __device__ float of(float v) { return wmma::__float_to_tf32(v); }
};

// One warp a tile of M x N; matrices of any size: what lies outside is zero. c = alpha a b + beta c, all by rows.
template <class T, class Sum, int M, int N, int K>
__global__ void wmma_gemm(const typename Multiplicand<T>::Stored* a, const typename Multiplicand<T>::Stored* b, Sum* c,
                          int m, int n, int k, Sum alpha, Sum beta) {
  using Stored = typename Multiplicand<T>::Stored;
  __shared__ __align__(32) Stored a_tile[M * K];
  __shared__ __align__(32) Stored b_tile[K * N];
  __shared__ __align__(32) Sum c_tile[M * N];
  const int row = blockIdx.y * M, column = blockIdx.x * N;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, old;
  wmma::fill_fragment(sum, Sum(0));
  for (int step = 0; step < k; step += K) {
    for (int i = threadIdx.x; i < M * K; i += 32) {
      const int y = row + i / K, x = step + i % K;
      a_tile[i] = y < m && x < k ? Multiplicand<T>::of(a[y * k + x]) : Stored(0);
    }
    for (int i = threadIdx.x; i < K * N; i += 32) {
      const int y = step + i / N, x = column + i % N;
      b_tile[i] = y < k && x < n ? Multiplicand<T>::of(b[y * n + x]) : Stored(0);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major> right;
    wmma::load_matrix_sync(left, a_tile, K);
    wmma::load_matrix_sync(right, b_tile, N);
    wmma::mma_sync(sum, left, right, sum);
    __syncwarp();
  }
  for (int i = threadIdx.x; i < M * N; i += 32) {
    const int y = row + i / N, x = column + i % N;
    c_tile[i] = y < m && x < n ? c[y * n + x] : Sum(0);
  }
  __syncwarp();
  wmma::load_matrix_sync(old, c_tile, N, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = alpha * sum.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(c_tile, sum, N, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < M * N; i += 32) {
    const int y = row + i / N, x = column + i % N;
    if (y < m && x < n) c[y * n + x] = c_tile[i];
  }
}
template __global__ void wmma_gemm<half, float, 16, 16, 16>(const half*, const half*, float*, int, int, int, float, float);
template __global__ void wmma_gemm<half, half, 16, 16, 16>(const half*, const half*, half*, int, int, int, half, half);
template __global__ void wmma_gemm<half, float, 32, 8, 16>(const half*, const half*, float*, int, int, int, float, float);
template __global__ void wmma_gemm<half, float, 8, 32, 16>(const half*, const half*, float*, int, int, int, float, float);
template __global__ void wmma_gemm<__nv_bfloat16, float, 16, 16, 16>(const __nv_bfloat16*, const __nv_bfloat16*, float*,
                                                                     int, int, int, float, float);
template __global__ void wmma_gemm<wmma::precision::tf32, float, 16, 16, 8>(const float*, const float*, float*, int, int,
                                                                            int, float, float);
template __global__ void wmma_gemm<signed char, int, 16, 16, 16>(const signed char*, const signed char*, int*, int, int,
                                                                 int, int, int);
template __global__ void wmma_gemm<unsigned char, int, 32, 8, 16>(const unsigned char*, const unsigned char*, int*, int,
                                                                  int, int, int, int);
template __global__ void wmma_gemm<double, double, 8, 8, 4>(const double*, const double*, double*, int, int, int, double,
                                                            double);

// Four-bit integers, eight a word; a by rows, b by columns; m and n multiples of 8, k of 32.
__global__ void wmma_gemm_s4(const int* a, const int* b, int* c, int n, int k) {
  namespace precision = wmma::experimental::precision;
  const int row = blockIdx.y * 8, column = blockIdx.x * 8;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
  wmma::fill_fragment(sum, 0);
  for (int step = 0; step < k; step += 32) {
    wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> right;
    wmma::load_matrix_sync(left, a + (row * k + step) / 8, k);
    wmma::load_matrix_sync(right, b + (column * k + step) / 8, k);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// Bits, 32 a word: in how many places a row of a and a column of b differ, or both have ones.
template <bool Both>
__global__ void wmma_gemm_b1(const unsigned* a, const unsigned* b, int* c, int n, int k) {
  namespace precision = wmma::experimental::precision;
  const int row = blockIdx.y * 8, column = blockIdx.x * 8;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
  wmma::fill_fragment(sum, 0);
  for (int step = 0; step < k; step += 128) {
    wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> right;
    wmma::load_matrix_sync(left, a + (row * k + step) / 32, k);
    wmma::load_matrix_sync(right, b + (column * k + step) / 32, k);
    wmma::bmma_sync(sum, left, right, sum,
                    Both ? wmma::experimental::bmmaBitOpAND : wmma::experimental::bmmaBitOpXOR);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
template __global__ void wmma_gemm_b1<false>(const unsigned*, const unsigned*, int*, int, int);
template __global__ void wmma_gemm_b1<true>(const unsigned*, const unsigned*, int*, int, int);

// mma.sync: a block of four warps makes 32 x 32 of c, each warp 16 x 16. Tiles lie in shared memory with rows of 40 halves,
// so that ldmatrix has no conflicts; b lies by rows and is transposed as it is loaded.
__global__ void mma_gemm(const half* a, const half* b, float* c, int m, int n, int k) {
  constexpr int kRow = 40;
  __shared__ __align__(16) half a_tile[32][kRow];
  __shared__ __align__(16) half b_tile[32][kRow];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  const int warp_row = warp / 2 * 16, warp_column = warp % 2 * 16;
  float sum[2][4] = {};
  for (int step = 0; step < k; step += 32) {
    for (int i = threadIdx.x; i < 32 * 32; i += blockDim.x) {
      const int y = i / 32, x = i % 32;
      a_tile[y][x] = row + y < m && step + x < k ? a[(row + y) * k + step + x] : half(0.f);
      b_tile[y][x] = step + y < k && column + x < n ? b[(step + y) * n + column + x] : half(0.f);
    }
    __syncthreads();
    for (int part = 0; part < 32; part += 16) {
      unsigned left[4], right[4];
      const auto at_a = static_cast<unsigned>(
          __cvta_generic_to_shared(&a_tile[warp_row + lane % 16][part + lane / 16 * 8]));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                   : "r"(at_a));
      const auto at_b = static_cast<unsigned>(
          __cvta_generic_to_shared(&b_tile[part + lane % 16][warp_column + lane / 16 * 8]));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3])
                   : "r"(at_b));
      for (int t = 0; t < 2; ++t) {
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(sum[t][0]), "+f"(sum[t][1]), "+f"(sum[t][2]), "+f"(sum[t][3])
            : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[2 * t]), "r"(right[2 * t + 1]));
      }
    }
    __syncthreads();
  }
  for (int t = 0; t < 2; ++t) {
    for (int i = 0; i < 4; ++i) {
      const int y = row + warp_row + lane / 4 + i / 2 * 8, x = column + warp_column + 8 * t + lane % 4 * 2 + i % 2;
      if (y < m && x < n) c[y * n + x] = sum[t][i];
    }
  }
}

// Bytes: b by columns, so that both multiplicands are read along k; m, n and k multiples of 16, 8 and 32.
__global__ void mma_gemm_s8(const signed char* a, const signed char* b, int* c, int n, int k) {
  const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  const int row = blockIdx.y * 16, column = blockIdx.x * 8;
  int sum[4] = {};
  for (int step = 0; step < k; step += 32) {
    const auto word = [&](const signed char* from, int line, int at) {
      return *reinterpret_cast<const int*>(from + line * k + step + at);
    };
    const int a0 = word(a, row + g, 4 * t), a1 = word(a, row + g + 8, 4 * t), a2 = word(a, row + g, 4 * t + 16),
              a3 = word(a, row + g + 8, 4 * t + 16);
    const int b0 = word(b, column + g, 4 * t), b1 = word(b, column + g, 4 * t + 16);
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }
  for (int i = 0; i < 4; ++i) c[(row + g + i / 2 * 8) * n + column + 2 * t + i % 2] = sum[i];
}
