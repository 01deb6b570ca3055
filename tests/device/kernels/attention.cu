// Flash attention, forward: softmax(q k^T / sqrt(d)) v a tile of keys at a time, with a running maximum and sum, so that the
// matrix of scores is never whole. Tensors are [head][position][kWidth].
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kWidth = 48;

// A thread has a query; a block shares tiles of 32 keys and values.
template <bool Causal>
__global__ void attention_float(const float* q, const float* k, const float* v, float* o, int n) {
  constexpr int kTile = 32;
  __shared__ float keys[kTile][kWidth], values[kTile][kWidth];
  const size_t head = static_cast<size_t>(blockIdx.y) * n * kWidth;
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float scale = rsqrtf(static_cast<float>(kWidth));
  float query[kWidth], sum[kWidth] = {}, most = -INFINITY, weight = 0;
  for (int d = 0; d < kWidth; ++d) query[d] = row < n ? q[head + static_cast<size_t>(row) * kWidth + d] * scale : 0;
  const int last = Causal ? min(n, static_cast<int>(blockIdx.x + 1) * static_cast<int>(blockDim.x)) : n;
  for (int first = 0; first < last; first += kTile) {
    for (int i = threadIdx.x; i < kTile * kWidth; i += blockDim.x) {
      const int y = first + i / kWidth;
      const size_t at = head + static_cast<size_t>(first) * kWidth + i;
      keys[i / kWidth][i % kWidth] = y < n ? k[at] : 0;
      values[i / kWidth][i % kWidth] = y < n ? v[at] : 0;
    }
    __syncthreads();
    float score[kTile], top = most;
    for (int j = 0; j < kTile; ++j) {
      float s = 0;
      for (int d = 0; d < kWidth; ++d) s += query[d] * keys[j][d];
      const bool seen = first + j < n && (!Causal || first + j <= row);
      score[j] = seen ? s : -INFINITY;
      top = fmaxf(top, score[j]);
    }
    if (top > -INFINITY) {
      const float shrink = __expf(most - top);
      weight *= shrink;
      for (int d = 0; d < kWidth; ++d) sum[d] *= shrink;
      for (int j = 0; j < kTile; ++j) {
        const float p = __expf(score[j] - top);
        weight += p;
        for (int d = 0; d < kWidth; ++d) sum[d] += p * values[j][d];
      }
      most = top;
    }
    __syncthreads();
  }
  if (row >= n) return;
  for (int d = 0; d < kWidth; ++d) o[head + static_cast<size_t>(row) * kWidth + d] = sum[d] / weight;
}
template __global__ void attention_float<false>(const float*, const float*, const float*, float*, int);
template __global__ void attention_float<true>(const float*, const float*, const float*, float*, int);

// A warp has 16 queries and goes over tiles of 16 keys on tensor cores; scores and the unfinished output lie in shared
// memory, since fragments do not say which element is whose.
__global__ void attention_wmma(const half* q, const half* k, const half* v, float* o, int n) {
  constexpr int kTile = 16;
  __shared__ __align__(32) half queries[kTile][kWidth], keys[kTile][kWidth], values[kTile][kWidth];
  __shared__ __align__(32) half weights[kTile][kTile];
  __shared__ __align__(32) float scores[kTile][kTile];
  __shared__ __align__(32) float sums[kTile][kWidth];
  const size_t head = static_cast<size_t>(blockIdx.y) * n * kWidth;
  const int lane = threadIdx.x, first_row = blockIdx.x * kTile;
  const auto copy = [&](half (*to)[kWidth], const half* from, int first) {
    for (int i = lane; i < kTile * kWidth; i += 32)
      to[i / kWidth][i % kWidth] =
          first + i / kWidth < n ? from[head + static_cast<size_t>(first) * kWidth + i] : __float2half(0.f);
  };
  copy(queries, q, first_row);
  for (int i = lane; i < kTile * kWidth; i += 32) sums[i / kWidth][i % kWidth] = 0;
  const float scale = rsqrtf(static_cast<float>(kWidth));
  float most = -INFINITY, weight = 0;  // of row lane % 16; both halves of the warp keep them
  for (int first = 0; first < n; first += kTile) {
    copy(keys, k, first);
    copy(values, v, first);
    __syncwarp();
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> s;
    wmma::fill_fragment(s, 0.f);
    for (int d = 0; d < kWidth; d += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
      wmma::load_matrix_sync(left, &queries[0][d], kWidth);
      wmma::load_matrix_sync(right, &keys[0][d], kWidth);
      wmma::mma_sync(s, left, right, s);
    }
    for (int i = 0; i < s.num_elements; ++i) s.x[i] *= scale;
    wmma::store_matrix_sync(&scores[0][0], s, kTile, wmma::mem_row_major);
    __syncwarp();
    const int row = lane % 16, part = lane / 16 * 8;
    float top = most;
    for (int j = 0; j < 8; ++j) {
      if (first + part + j < n) top = fmaxf(top, scores[row][part + j]);
    }
    top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, 16));
    const float shrink = __expf(most - top);
    float more = 0;
    for (int j = 0; j < 8; ++j) {
      const half p = __float2half(first + part + j < n ? __expf(scores[row][part + j] - top) : 0.f);
      weights[row][part + j] = p;
      more += __half2float(p);
    }
    weight = weight * shrink + more + __shfl_xor_sync(0xffffffff, more, 16);
    most = top;
    for (int d = lane / 16; d < kWidth; d += 2) sums[row][d] *= shrink;
    __syncwarp();
    for (int d = 0; d < kWidth; d += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
      wmma::load_matrix_sync(left, &weights[0][0], kTile);
      wmma::load_matrix_sync(right, &values[0][d], kWidth);
      wmma::load_matrix_sync(sum, &sums[0][d], kWidth, wmma::mem_row_major);
      wmma::mma_sync(sum, left, right, sum);
      wmma::store_matrix_sync(&sums[0][d], sum, kWidth, wmma::mem_row_major);
    }
    __syncwarp();
  }
  const int row = lane % 16;
  if (first_row + row >= n) return;
  for (int d = lane / 16; d < kWidth; d += 2)
    o[head + static_cast<size_t>(first_row + row) * kWidth + d] = sums[row][d] / weight;
}
