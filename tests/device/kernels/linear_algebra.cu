// The ladder of matrix products, convolutions in three ways, and what stands around them in a network.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void gemm_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
__global__ void gemm_coalesced(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                               int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
// 32 x 32 of c a block, four rows of a column a thread.
__global__ void __launch_bounds__(256) gemm_column(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[32][8], bs[8][32];
  const int t = threadIdx.x, column = t % 32, part = t / 32, top = blockIdx.y * 32, left = blockIdx.x * 32;
  float sum[4] = {};
  for (int at = 0; at < k; at += 8) {
    as[t / 8][t % 8] = top + t / 8 < m && at + t % 8 < k ? a[(top + t / 8) * k + at + t % 8] : 0;
    bs[part][column] = at + part < k && left + column < n ? b[(at + part) * n + left + column] : 0;
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      const float v = bs[i][column];
      for (int r = 0; r < 4; ++r) sum[r] += as[part * 4 + r][i] * v;
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    if (top + part * 4 + r < m && left + column < n) c[(top + part * 4 + r) * n + left + column] = sum[r];
}
// 64 x 64 a block of 64 threads, 8 x 8 a thread in registers, four floats at once; n and k are multiples of 4.
__global__ void __launch_bounds__(64) gemm_registers(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ __align__(16) float as[8][64], bs[8][64];
  const int t = threadIdx.x, tx = t % 8, ty = t / 8, top = blockIdx.y * 64, left = blockIdx.x * 64;
  float sum[8][8] = {};
  for (int at = 0; at < k; at += 8) {
    for (int s = t; s < 128; s += 64) {
      const int row = s / 2, from = s % 2 * 4;
      const float4 v = top + row < m && at + from < k
                           ? *reinterpret_cast<const float4*>(&a[(top + row) * k + at + from])
                           : float4{};
      as[from][row] = v.x, as[from + 1][row] = v.y, as[from + 2][row] = v.z, as[from + 3][row] = v.w;
      const int i = s / 16, column = s % 16 * 4;
      *reinterpret_cast<float4*>(&bs[i][column]) =
          at + i < k && left + column < n ? *reinterpret_cast<const float4*>(&b[(at + i) * n + left + column]) : float4{};
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      float u[8], v[8];
      *reinterpret_cast<float4*>(u) = *reinterpret_cast<float4*>(&as[i][ty * 8]);
      *reinterpret_cast<float4*>(u + 4) = *reinterpret_cast<float4*>(&as[i][ty * 8 + 4]);
      *reinterpret_cast<float4*>(v) = *reinterpret_cast<float4*>(&bs[i][tx * 8]);
      *reinterpret_cast<float4*>(v + 4) = *reinterpret_cast<float4*>(&bs[i][tx * 8 + 4]);
#pragma unroll
      for (int r = 0; r < 8; ++r)
#pragma unroll
        for (int s = 0; s < 8; ++s) sum[r][s] += u[r] * v[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r) {
    const int row = top + ty * 8 + r;
    for (int s = 0; s < 8; s += 4)
      if (row < m && left + tx * 8 + s < n)
        *reinterpret_cast<float4*>(&c[row * n + left + tx * 8 + s]) = *reinterpret_cast<float4*>(&sum[r][s]);
  }
}

// One image of `channels` planes, 3 x 3 weights for each of the outputs, no padding.
__global__ void convolve(const float* x, const float* w, float* y, int channels, int height, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z;
  if (i >= width - 2 || j >= height - 2) return;
  float sum = 0;
  for (int c = 0; c < channels; ++c)
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s)
        sum += x[(c * height + j + r) * width + i + s] * w[((o * channels + c) * 3 + r) * 3 + s];
  y[(o * (height - 2) + j) * (width - 2) + i] = sum;
}
// A row of the matrix for each of the 9 places of each channel; then gemm_coalesced does the rest.
__global__ void image_to_columns(const float* x, float* columns, int channels, int height, int width) {
  const int places = (height - 2) * (width - 2), all = channels * 9 * places;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
    const int place = i % places, row = i / places, s = row % 3, r = row / 3 % 3, c = row / 9;
    columns[i] = x[(c * height + place / (width - 2) + r) * width + place % (width - 2) + s];
  }
}
// Winograd's F(2 x 2, 3 x 3): four outputs a thread by 16 products a channel in place of 36.
__device__ void filter_row(const float* g, float* out) {
  out[0] = g[0], out[1] = 0.5f * (g[0] + g[1] + g[2]), out[2] = 0.5f * (g[0] - g[1] + g[2]), out[3] = g[2];
}
__global__ void convolve_winograd(const float* x, const float* w, float* y, int channels, int height, int width) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x), j = 2 * (blockIdx.y * blockDim.y + threadIdx.y), o = blockIdx.z;
  if (i >= width - 2 || j >= height - 2) return;
  float m[4][4] = {};
  for (int c = 0; c < channels; ++c) {
    const float* g = w + (o * channels + c) * 9;
    float half[4][3], u[4][4], d[4][4], t[4][4];
    for (int s = 0; s < 3; ++s) {
      const float column[3] = {g[s], g[3 + s], g[6 + s]};
      float four[4];
      filter_row(column, four);
      for (int r = 0; r < 4; ++r) half[r][s] = four[r];
    }
    for (int r = 0; r < 4; ++r) filter_row(half[r], u[r]);
    for (int r = 0; r < 4; ++r)
      for (int s = 0; s < 4; ++s) d[r][s] = j + r < height && i + s < width ? x[(c * height + j + r) * width + i + s] : 0;
    for (int s = 0; s < 4; ++s) {
      t[0][s] = d[0][s] - d[2][s], t[1][s] = d[1][s] + d[2][s];
      t[2][s] = d[2][s] - d[1][s], t[3][s] = d[1][s] - d[3][s];
    }
    for (int r = 0; r < 4; ++r) {
      const float v[4] = {t[r][0] - t[r][2], t[r][1] + t[r][2], t[r][2] - t[r][1], t[r][1] - t[r][3]};
      for (int s = 0; s < 4; ++s) m[r][s] += u[r][s] * v[s];
    }
  }
  float left[2][4];
  for (int s = 0; s < 4; ++s) left[0][s] = m[0][s] + m[1][s] + m[2][s], left[1][s] = m[1][s] - m[2][s] - m[3][s];
  for (int r = 0; r < 2; ++r) {
    const float out[2] = {left[r][0] + left[r][1] + left[r][2], left[r][1] - left[r][2] - left[r][3]};
    for (int s = 0; s < 2; ++s)
      if (j + r < height - 2 && i + s < width - 2) y[(o * (height - 2) + j + r) * (width - 2) + i + s] = out[s];
  }
}

// One row a block: mean and variance by Welford's update, joined over warps by shuffles.
__global__ void layer_norm(const float* x, const float* gain, const float* bias, float* y, int n, float epsilon) {
  __shared__ float means[32], squares[32], counts[32];
  const float* row = x + blockIdx.x * n;
  float mean = 0, square = 0, count = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    count += 1;
    const float off = row[i] - mean;
    mean += off / count;
    square += off * (row[i] - mean);
  }
  const auto join = [&](float other_mean, float other_square, float other_count) {
    const float all = count + other_count;
    if (all == 0) return;
    const float off = other_mean - mean;
    square += other_square + off * off * count * other_count / all;
    mean += off * other_count / all;
    count = all;
  };
  for (int d = 16; d > 0; d /= 2)
    join(__shfl_down_sync(~0u, mean, d), __shfl_down_sync(~0u, square, d), __shfl_down_sync(~0u, count, d));
  if (threadIdx.x % 32 == 0)
    means[threadIdx.x / 32] = mean, squares[threadIdx.x / 32] = square, counts[threadIdx.x / 32] = count;
  __syncthreads();
  mean = square = count = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) join(means[w], squares[w], counts[w]);
  const float scale = rsqrtf(square / n + epsilon);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[blockIdx.x * n + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

// The columns of a tile are permuted by exclusive or, so that nothing is padded and nothing conflicts.
__global__ void transpose_swizzled(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y)
    if (const int y = blockIdx.y * 32 + k; x < width && y < height) tile[k][threadIdx.x ^ k] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y)
    if (const int y = blockIdx.x * 32 + k; x < height && y < width) out[y * height + x] = tile[threadIdx.x][k ^ threadIdx.x];
}

// Five points of a plane that is a torus, with a halo in shared memory.
template <int kWidth, int kHeight>
__global__ void stencil_halo(const float* in, float* out, int width, int height) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  const int left = blockIdx.x * kWidth, top = blockIdx.y * kHeight;
  for (int i = threadIdx.y * kWidth + threadIdx.x; i < (kHeight + 2) * (kWidth + 2); i += kWidth * kHeight) {
    const int x = (left + i % (kWidth + 2) - 1 + width) % width, y = (top + i / (kWidth + 2) - 1 + height) % height;
    tile[i / (kWidth + 2)][i % (kWidth + 2)] = in[y * width + x];
  }
  __syncthreads();
  const int x = left + threadIdx.x, y = top + threadIdx.y, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  if (x >= width || y >= height) return;
  out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty - 1][tx] + tile[ty + 1][tx]) +
                       0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1]);
}
template __global__ void stencil_halo<16, 8>(const float*, float*, int, int);
template __global__ void stencil_halo<7, 5>(const float*, float*, int, int);

// A sum in three ways: shuffles, cooperative groups, redux.sync.
__global__ void sum_shuffles(const int* x, int* total, int n) {
  __shared__ int warps[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0) atomicAdd(total, sum);
  }
}
__global__ void sum_groups(const int* x, int* total, int n) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  int sum = 0;
  for (int i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) sum += x[i];
  sum = cg::reduce(tile, sum, cg::plus<int>());
  cg::invoke_one(tile, [&] { atomicAdd(total, sum); });
}
__global__ void sum_redux(const int* x, int* total, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = __reduce_add_sync(~0u, sum);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
