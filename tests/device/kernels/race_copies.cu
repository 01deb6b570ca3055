// Asynchronous copies, barriers with phases and clusters, each right and with its synchronisation left out: what racecheck
// must let pass and what it must find.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Two buffers by turns: the wrong one reads a tile that is still on its way.
template <bool kRight>
__global__ void not_waited(const int* x, int* y) {
  __shared__ int two[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&two[0][t], &x[t], 4);
  __pipeline_commit();
  for (int step = 0; step < 6; ++step) {
    if (step + 1 < 6) __pipeline_memcpy_async(&two[(step + 1) % 2][t], &x[(step + 1) * 64 + t], 4);
    __pipeline_commit();
    if (kRight)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(2);
    __syncthreads();
    sum += two[step % 2][63 - t];
    __syncthreads();
  }
  y[t] = sum;
}

// The wrong one refills a buffer that others may still read.
template <bool kRight>
__global__ void refilled(const int* x, int* y) {
  __shared__ int two[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&two[0][t], &x[t], 4);
  __pipeline_commit();
  for (int step = 0; step < 6; ++step) {
    if (step + 1 < 6) __pipeline_memcpy_async(&two[(step + 1) % 2][t], &x[(step + 1) * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += two[step % 2][63 - t];
    if (kRight) __syncthreads();
  }
  y[t] = sum;
}

// Each waits for its own copies; the wrong one does not meet the others before it reads theirs.
template <bool kRight>
__global__ void own_only(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (kRight) __syncthreads();
  y[t] = tile[63 - t];
}

// The same within warps.
template <bool kRight>
__global__ void own_warp(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (kRight) __syncwarp();
  y[t] = tile[t ^ 1];
}

// The source changes while it is read.
template <bool kRight>
__global__ void source_changed(int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], 4);
  __pipeline_commit();
  if (kRight) __pipeline_wait_prior(0);
  x[t] = 1;
  __pipeline_wait_prior(0);
  y[t] = tile[t];
}

template <bool kRight>
__global__ void group_waited(const int* x, int* y) {
  __shared__ int tile[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x, sizeof tile);
  if (kRight) cg::wait(block);
  y[threadIdx.x] = tile[63 - threadIdx.x];
}

// One thread copies in bulk; the wrong one reads before the phase is complete.
template <bool kRight>
__global__ void bulk_early(const int* x, int* y) {
  __shared__ alignas(16) int tile[64];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_global_to_shared(tile, x, sizeof tile, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  if (kRight) bar.wait(std::move(token));
  const int seen = tile[63 - threadIdx.x];
  if (!kRight) bar.wait(std::move(token));
  y[threadIdx.x] = seen;
}

// A bulk copy to global memory; the wrong one writes its source again before it is read.
template <bool kRight>
__global__ void bulk_source(int* y) {
  __shared__ alignas(16) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  cuda::device::experimental::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_shared_to_global(y, tile, sizeof tile);
    cuda::device::experimental::cp_async_bulk_commit_group();
    if (kRight) cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
  }
  __syncthreads();
  tile[threadIdx.x] = 7;
  if (threadIdx.x == 0) cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
}

// Two stages between a warp that fills and one that empties; the wrong one fills without waiting for what is empty.
template <bool kRight>
__global__ void handed_over(const int* x, int* y) {
  __shared__ int stage[2][32];
  __shared__ Barrier full[2], empty[2];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], 64);
    init(&empty[threadIdx.x], 64);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int r = 0; r < 6; ++r) {
      auto token = empty[r % 2].arrive();
      if (kRight)
        empty[r % 2].wait(std::move(token));
      stage[r % 2][lane] = x[r * 32 + lane];
      if (!kRight) empty[r % 2].wait(std::move(token));
      (void)full[r % 2].arrive();
    }
  } else {
    (void)empty[0].arrive();
    (void)empty[1].arrive();
    int sum = 0;
    for (int r = 0; r < 6; ++r) {
      full[r % 2].arrive_and_wait();
      sum += stage[r % 2][31 - lane];
      if (r + 2 < 6) (void)empty[r % 2].arrive();
    }
    y[lane] = sum;
  }
}

// A pipeline of two stages; the wrong one gives a stage back before it has read it.
template <bool kRight>
__global__ void piped(const int* x, int* y) {
  __shared__ int stage[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int done = 0, sent = 0; done < 6; ++done) {
    for (; sent < 6 && sent < done + 2; ++sent) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stage[sent % 2], x + sent * 64, sizeof stage[0], pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    if (kRight) {
      sum += stage[done % 2][63 - threadIdx.x];
      pipeline.consumer_release();
    } else {
      pipeline.consumer_release();
      sum += stage[done % 2][63 - threadIdx.x];
    }
  }
  y[threadIdx.x] = sum;
}

// The same, of copies by each thread for itself.
template <bool kRight>
__global__ void piped_alone(const int* x, int* y) {
  __shared__ int stage[2][64];
  auto pipeline = cuda::make_pipeline();
  const int t = threadIdx.x;
  int sum = 0;
  for (int done = 0, sent = 0; done < 6; ++done) {
    for (; sent < 6 && sent < done + 2; ++sent) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&stage[sent % 2][t], &x[sent * 64 + t], sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    if (kRight) pipeline.consumer_wait();
    sum += stage[done % 2][t];
    if (!kRight) pipeline.consumer_wait();
    pipeline.consumer_release();
  }
  y[t] = sum;
}

// A barrier that all arrive at: what was done before the arrival is seen after the wait, what was done after it is not.
template <bool kRight>
__global__ void split_phase(int* y) {
  __shared__ int tile[64];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (kRight) tile[threadIdx.x] = threadIdx.x;
  auto token = bar.arrive();
  if (!kRight) tile[threadIdx.x] = threadIdx.x;
  bar.wait(std::move(token));
  y[threadIdx.x] = tile[63 - threadIdx.x];
}

// A block reads what its neighbour holds.
template <bool kRight>
__global__ void neighbour(int* y) {
  __shared__ int held[64];
  const auto cluster = cg::this_cluster();
  held[threadIdx.x] = blockIdx.x;
  if (kRight) cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  y[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(held, next)[63 - threadIdx.x];
  cluster.sync();
}

// The wrong one may be gone while its neighbour still reads.
template <bool kRight>
__global__ void gone(int* y) {
  __shared__ int held[64];
  const auto cluster = cg::this_cluster();
  held[threadIdx.x] = blockIdx.x;
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  y[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(held, next)[63 - threadIdx.x];
  if (kRight) cluster.sync();
}

// All blocks add to a word of the first.
template <bool kRight>
__global__ void one_word(int* y) {
  __shared__ int sum;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  int* first = cluster.map_shared_rank(&sum, 0);
  if (threadIdx.x == 0) {
    if (kRight)
      atomicAdd(first, 1);
    else
      *first += 1;
  }
  cluster.sync();
  if (threadIdx.x == 0) y[blockIdx.x] = *first;
  cluster.sync();
}

// What blocks of a cluster write to global memory for each other.
template <bool kRight>
__global__ void through_global(int* x, int* y) {
  const auto cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  x[i] = i;
  if (kRight)
    cluster.sync();
  else
    __syncthreads();
  y[i] = x[i ^ 64];
}

// A tile that came by cp.async is read by the neighbour.
template <bool kRight>
__global__ void copied_next_door(const int* x, int* y) {
  __shared__ int tile[64];
  const auto cluster = cg::this_cluster();
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  if (kRight) __pipeline_wait_prior(0);
  cluster.sync();
  y[blockIdx.x * 64 + threadIdx.x] =
      cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[63 - threadIdx.x];
  __pipeline_wait_prior(0);
  cluster.sync();
}

#define BOTH(name, ...)                                  \
  template __global__ void name<true>(__VA_ARGS__);      \
  template __global__ void name<false>(__VA_ARGS__);
BOTH(not_waited, const int*, int*)
BOTH(refilled, const int*, int*)
BOTH(own_only, const int*, int*)
BOTH(own_warp, const int*, int*)
BOTH(source_changed, int*, int*)
BOTH(group_waited, const int*, int*)
BOTH(bulk_early, const int*, int*)
BOTH(bulk_source, int*)
BOTH(handed_over, const int*, int*)
BOTH(piped, const int*, int*)
BOTH(piped_alone, const int*, int*)
BOTH(split_phase, int*)
BOTH(neighbour, int*)
BOTH(gone, int*)
BOTH(one_word, int*)
BOTH(through_global, int*, int*)
BOTH(copied_next_door, const int*, int*)
