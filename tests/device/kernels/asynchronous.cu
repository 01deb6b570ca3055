// Kernels that copy while they compute, and that meet at barriers of their own.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// C = A B for square matrices of n; tiles of 16 x 16, the next ones on their way while these are multiplied.
__global__ void sgemm_double_buffered(const float* a, const float* b, float* c, int n) {
  constexpr int kTile = 16;
  __shared__ float as[2][kTile][kTile], bs[2][kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  const int tiles = (n + kTile - 1) / kTile;
  const auto fetch = [&](int tile, int buffer) {
    const int k = tile * kTile;
    const bool a_in = row < n && k + tx < n, b_in = k + ty < n && column < n;
    __pipeline_memcpy_async(&as[buffer][ty][tx], a_in ? &a[row * n + k + tx] : a, 4, a_in ? 0 : 4);
    __pipeline_memcpy_async(&bs[buffer][ty][tx], b_in ? &b[(k + ty) * n + column] : b, 4,
                            b_in ? 0 : 4);
    __pipeline_commit();
  };
  fetch(0, 0);
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      fetch(tile + 1, (tile + 1) % 2);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[tile % 2][ty][k] * bs[tile % 2][k][tx];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// y[i] = x[i] + x[i of the tile, backwards], through a pipeline of kStages tiles that all threads fill and drain.
template <int kStages>
__global__ void pipelined(const int* x, int* y, int tiles) {
  extern __shared__ int buffer[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int n = blockDim.x;
  const int* from = x + static_cast<long long>(blockIdx.x) * tiles * n;
  int* to = y + static_cast<long long>(blockIdx.x) * tiles * n;
  for (int done = 0, sent = 0; done < tiles; ++done) {
    for (; sent < tiles && sent < done + kStages; ++sent) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffer + sent % kStages * n, from + sent * n, sizeof(int) * n,
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    const int* tile = buffer + done % kStages * n;
    to[done * n + threadIdx.x] = tile[threadIdx.x] + tile[n - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
}

template __global__ void pipelined<1>(const int*, int*, int);
template __global__ void pipelined<2>(const int*, int*, int);
template __global__ void pipelined<4>(const int*, int*, int);

// The same, where the first warp produces and the others consume.
__global__ void specialised(const int* x, int* y, int tiles) {
  constexpr int kStages = 3, kTile = 64;
  __shared__ alignas(16) int buffer[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipeline = cuda::make_pipeline(
      block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  if (produces) {
    for (int t = 0; t < tiles; ++t) {
      pipeline.producer_acquire();
      for (int i = threadIdx.x; i < kTile; i += 32)
        cuda::memcpy_async(&buffer[t % kStages][i], &x[t * kTile + i], sizeof(int), pipeline);
      pipeline.producer_commit();
    }
  } else {
    const int i = threadIdx.x - 32;
    for (int t = 0; t < tiles; ++t) {
      pipeline.consumer_wait();
      y[t * kTile + i] = buffer[t % kStages][i] * 2 + buffer[t % kStages][kTile - 1 - i];
      pipeline.consumer_release();
    }
  }
}

// y = reversed blocks of x, fetched and written back in bulk (CUDA C++ Programming Guide, "Using TMA to transfer
// one-dimensional arrays").
template <bool kByHand>
__global__ void bulk_reversed(const int* x, int* y) {
  constexpr int kTile = 256;
  __shared__ alignas(16) int tile[kTile], back[kTile];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (kByHand && threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_global_to_shared(tile, x + blockIdx.x * kTile,
                                                               sizeof tile, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    // It tells the barrier how many bytes are to come.
    if (threadIdx.x == 0)
      cuda::memcpy_async(tile, x + blockIdx.x * kTile, cuda::aligned_size_t<16>(sizeof tile), bar);
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) back[i] = tile[kTile - 1 - i];
  cuda::device::experimental::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_shared_to_global(y + blockIdx.x * kTile, back,
                                                               sizeof back);
    cuda::device::experimental::cp_async_bulk_commit_group();
    cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
  }
}

template __global__ void bulk_reversed<true>(const int*, int*);
template __global__ void bulk_reversed<false>(const int*, int*);

// Producers fill a buffer, consumers add it up: two barriers, full and empty (CUDA C++ Programming Guide, "Spatial
// Partitioning").
__global__ void producer_consumer(const int* x, long long* sums, int rounds) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  constexpr int kTile = 32;
  __shared__ int buffer[2][kTile];
  __shared__ barrier bars[4];  // ready[2], filled[2]
  if (threadIdx.x < 4) init(bars + threadIdx.x, blockDim.x);
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      bars[r % 2].arrive_and_wait();  // until it may be filled
      buffer[r % 2][threadIdx.x] = x[r * kTile + threadIdx.x];
      (void)bars[2 + r % 2].arrive();
    }
  } else {
    (void)bars[0].arrive();
    (void)bars[1].arrive();
    long long sum = 0;
    for (int r = 0; r < rounds; ++r) {
      bars[2 + r % 2].arrive_and_wait();  // until it is filled
      for (int i = 0; i < kTile; ++i) sum += buffer[r % 2][i] * (i + 1);
      (void)bars[r % 2].arrive();
    }
    sums[threadIdx.x - 32] = sum;
  }
}

// Each group of `kSize` threads leaves a barrier for good, one after the other.
__global__ void dropping(int* y) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier bar;
  __shared__ int rounds[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  rounds[threadIdx.x] = 0;
  __syncthreads();
  for (int r = 0; r < static_cast<int>(threadIdx.x); ++r) {
    bar.arrive_and_wait();
    rounds[threadIdx.x] = r + 1;
  }
  bar.arrive_and_drop();
  y[threadIdx.x] = rounds[threadIdx.x];
}

// cooperative_groups::memcpy_async by a block and by tiles of a warp.
__global__ void group_copy(const int* x, int* y, int n) {
  extern __shared__ int buffer[];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, x, sizeof(int) * n);
  cg::wait(block);
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = buffer[n - 1 - i];
  block.sync();
  const auto tile = cg::tiled_partition<8>(block);
  const int first = tile.meta_group_rank() * 8;
  if (first + 8 <= n) {
    cg::memcpy_async(tile, buffer + first, x + first, sizeof(int) * 8);
    cg::wait(tile);
    y[n + first + tile.thread_rank()] = buffer[first + 7 - tile.thread_rank()];
  }
}

// Wrong on purpose: the copy is read without a wait.
__global__ void forgotten_wait(const int* x, int* y) {
  __shared__ int tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  y[threadIdx.x] = tile[threadIdx.x];
  __pipeline_wait_prior(0);
}

// Wrong on purpose: one thread fewer arrives than the barrier expects.
__global__ void missing_arrival(int* y) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x + 1);
  __syncthreads();
  bar.arrive_and_wait();
  y[threadIdx.x] = 1;
}
