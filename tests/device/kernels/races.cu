// Patterns of sharing, each right and with its synchronisation left out: what racecheck must let pass and what it must
// find.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>

namespace cg = cooperative_groups;

template <bool kRight>
__global__ void tree(const int* x, int* y) {
  __shared__ int held[128];
  const int t = threadIdx.x;
  held[t] = x[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) held[t] += held[t + half];
    if (kRight) __syncthreads();
  }
  if (t == 0) *y = held[0];
}

template <bool kRight>
__global__ void counted_plainly(int* y) {
  if (kRight)
    atomicAdd(y, 1);
  else
    *y += 1;
}

template <bool kRight>
__global__ void scan_in_place(const int* x, int* y) {
  __shared__ int held[128];
  const int t = threadIdx.x;
  held[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    const int sum = t >= d ? held[t] + held[t - d] : held[t];
    if (kRight) __syncthreads();
    held[t] = sum;
    __syncthreads();
  }
  y[t] = held[t];
}

template <bool kRight>
__global__ void double_buffer(const int* x, int* y) {
  __shared__ int two[2][96];
  const int t = threadIdx.x;
  int sum = 0;
  for (int step = 0; step < 8; ++step) {
    two[step % 2][t] = x[step * 96 + t];
    if (kRight || step % 2 == 0) __syncthreads();
    sum += two[step % 2][95 - t];
  }
  y[t] = sum;
}

template <bool kRight>
__global__ void warp_tree(const int* x, int* y) {
  __shared__ int held[64];
  const int t = threadIdx.x, lane = t % 32;
  int* mine = held + t / 32 * 32;
  mine[lane] = x[t];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    int sum = 0;
    if (lane < half) sum = mine[lane] + mine[lane + half];
    if (kRight) __syncwarp();
    if (lane < half) mine[lane] = sum;
    if (kRight) __syncwarp();
  }
  if (lane == 0) y[t / 32] = mine[0];
}

// Halves of a warp that meet on their own.
template <bool kRight>
__global__ void half_warps(const int* x, int* y) {
  __shared__ int held[32];
  const int lane = threadIdx.x;
  const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  held[lane] = x[lane];
  if (lane < 16) {
    __syncwarp(0x0000ffffu);
    y[lane] = held[lane ^ 1];
  } else {
    if (kRight) __syncwarp(0xffff0000u);
    y[lane] = held[lane ^ 1];
  }
  __syncwarp(half);
}

// Nearly all neighbours are lanes of one warp, and two are not.
template <bool kRight>
__global__ void neighbours(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = x[t];
  if (kRight) __syncthreads();
  y[t] = tile[(t + 1) % 64];
}

template <bool kRight>
__global__ void shuffled(const int* x, int* y) {
  __shared__ int sums[8];
  const int t = threadIdx.x;
  int value = x[t];
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (t % 32 == 0) sums[t / 32] = value;
  if (kRight) __syncthreads();
  if (t < 32) {
    value = t < blockDim.x / 32 ? sums[t] : 0;
    for (int d = 4; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (t == 0) *y = value;
  }
}

template <bool kRight>
__global__ void bins(const unsigned char* x, int* y, int n) {
  __shared__ int own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (kRight)
      atomicAdd(&own[x[i]], 1);
    else
      own[x[i]] += 1;
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&y[threadIdx.x], own[threadIdx.x]);
}

template <bool kRight>
__global__ void total(const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (kRight)
    atomicAdd(y, x[i]);
  else
    *y += x[i];
}

// Within a block, through global memory.
template <bool kRight>
__global__ void reverse_block(int* x) {
  int* mine = x + blockIdx.x * blockDim.x;
  const int value = mine[threadIdx.x];
  if (kRight) __syncthreads();
  mine[blockDim.x - 1 - threadIdx.x] = value;
}

__device__ unsigned finished;
template <bool kRight>
__global__ void last_block(const int* x, int* partial, int* y) {
  __shared__ bool last;
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    if (kRight) __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(y, partial[threadIdx.x]);
}

// Every thread's share is fenced by the thread itself, and handed on by thread 0 after a barrier. The last block sets the
// counter back for the next launch.
template <bool kRight>
__global__ void last_block_all(int* partial, int* y) {
  __shared__ bool last;
  partial[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  if (kRight) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&finished, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    if (threadIdx.x == 0) finished = 0;
    int sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += partial[b * blockDim.x + threadIdx.x];
    y[threadIdx.x] = sum;
  }
}

template <bool kRight>
__global__ void chain(int* value, volatile int* flag, int* y) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) {
      while (flag[blockIdx.x - 1] == 0) {}
      before = value[blockIdx.x - 1];
    } else {
      before = 0;
    }
  }
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = before + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    value[blockIdx.x] = before + 1;
    if (kRight) __threadfence();
    flag[blockIdx.x] = 1;
  }
}

template <bool kRight>
__global__ void locked(int* lock, int* count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      if (kRight) __threadfence();
      *count += 1;
      if (kRight) __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

template <bool kRight>
__global__ void whole_grid(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int step = 0; step < 3; ++step) {
    x[i] = i + step;
    if (kRight) cg::this_grid().sync();
    else __syncthreads();
    y[i] = x[n - 1 - i];
    if (kRight) cg::this_grid().sync();
    else __syncthreads();
  }
}

template <bool kRight>
__global__ void grouped(const int* x, int* y) {
  __shared__ int held[64];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  held[threadIdx.x] = x[threadIdx.x];
  if (kRight) tile.sync();
  int sum = held[threadIdx.x / 16 * 16 + (tile.thread_rank() + 1) % 16];
  sum = cg::reduce(tile, sum, cg::plus<int>());
  block.sync();
  if (threadIdx.x % 3 == 0) {
    // However many came here together.
    const auto some = cg::coalesced_threads();
    held[threadIdx.x] = sum;
    some.sync();
    sum += some.shfl(held[threadIdx.x], 0);
  }
  y[threadIdx.x] = sum;
}

template <bool kRight>
__global__ void wide_tile(const int* x, int* y) {
  __shared__ int held[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  held[threadIdx.x] = x[threadIdx.x];
  if (kRight) tile.sync();
  y[threadIdx.x] = held[threadIdx.x ^ 32];
}

template <bool kRight>
__global__ void brain(__nv_bfloat16* y) {
  if (kRight)
    atomicAdd(y, __float2bfloat16(1.0f));
  else
    *y = __hadd(*y, __float2bfloat16(1.0f));
}

// The CUDA C++ Programming Guide's own atomic addition.
__device__ double guide_add(double* address, double value) {
  auto* words = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *words, assumed;
  do {
    assumed = old;
    old = atomicCAS(words, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
template <bool kRight>
__global__ void guide(double* y) {
  __shared__ double own;
  if (threadIdx.x == 0) own = 0;
  __syncthreads();
  if (kRight)
    guide_add(&own, 1.0);
  else
    own += 1.0;
  __syncthreads();
  if (threadIdx.x == 0) guide_add(y, own);
}

template <bool kRight>
__global__ void bytes(unsigned char* y) {
  __shared__ unsigned char held[96];
  held[threadIdx.x] = threadIdx.x;
  if (!kRight) held[(threadIdx.x + 1) % 96] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = held[threadIdx.x];
}

template <bool kRight>
__global__ void one_place(int* y, int value) {
  y[threadIdx.x / 32] = kRight ? value : static_cast<int>(threadIdx.x);
}

// Two warps fill what two others read, each pair with a barrier of its own.
template <bool kRight>
__global__ void producers(const int* x, int* y) {
  __shared__ int held[64];
  const int t = threadIdx.x;
  if (t < 64) {
    held[t] = x[t];
    if (kRight) asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    if (kRight) asm volatile("bar.sync 1, 128;" ::: "memory");
    y[t - 64] = held[127 - t];
  }
}

template <bool kRight>
__global__ void pairs_of_warps(const int* x, int* y) {
  __shared__ int held[128];
  const int t = threadIdx.x, pair = t / 64;
  held[t] = x[t];
  if (kRight) asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
  y[t] = held[t ^ 63];
}

// Blocks count together; atomicAdd_block() is atomic only beside threads of its own block.
template <bool kRight>
__global__ void counted_together(int* y) {
  if (kRight)
    atomicAdd(y, 1);
  else
    atomicAdd_block(y, 1);
}

// Block 0 hands a value to the others; __threadfence_block() orders what its own block sees.
template <bool kRight>
__global__ void handed_on(int* value, int* flag, int* y) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = 5;
    if (kRight)
      __threadfence();
    else
      __threadfence_block();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {}
    __threadfence();
    y[blockIdx.x] = *value;
  }
}

// One warp hands a value to the next one of its block, for which a fence and operations of the block's scope suffice.
template <bool kRight>
__global__ void handed_on_in_a_block(int* value, int* flag, int* y) {
  if (threadIdx.x % 32 != 0) return;
  if (threadIdx.x == 0) {
    *value = 5;
    if (kRight) __threadfence_block();
    atomicExch_block(flag, 1);
  } else {
    while (atomicAdd_block(flag, 0) == 0) {}
    y[0] = *value;
  }
}

// What the comparison has found stale is taken anew; whoever tries once uses a value that nobody has confirmed.
template <bool kRight>
__global__ void counted_by_swaps(int* counter, int* y) {
  int old = *counter, expected;
  do {
    expected = old;
    old = atomicCAS(counter, expected, expected + 1);
  } while (kRight && old != expected);
  y[blockIdx.x * blockDim.x + threadIdx.x] = expected;
}

// The largest number by comparing and swapping: what was found is expected the next time.
template <bool kRight>
__global__ void largest(int* y) {
  const int mine = threadIdx.x;
  if (!kRight && *y < mine) *y = mine;
  int old = kRight ? *y : mine;
  while (old < mine) old = atomicCAS(y, old, mine);
}

// The value to compare with comes from another place, which others change.
template <bool kRight>
__global__ void expected_from_elsewhere(int* counters, int* y) {
  int expected = kRight ? atomicAdd(counters + 1, 0) : counters[1], old;
  do {
    old = atomicCAS(counters, expected, expected + 1);
  } while (old != expected && (expected = old) >= 0);
  atomicAdd(counters + 1, 1);
}

// A look at a counter that others change atomically.
template <bool kRight>
__global__ void first_one(int* counter, int* y) {
  if ((kRight ? atomicAdd(counter, 0) : *counter) == 0) atomicCAS(counter, 0, static_cast<int>(threadIdx.x) + 1);
}

// A plain read by the only thread that is left to write.
template <bool kRight>
__global__ void last_one_reads(int* counter, int* y) {
  __shared__ int arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  atomicAdd(counter, 1);
  if (kRight) __threadfence_block();
  if (atomicAdd(&arrived, 1) == static_cast<int>(blockDim.x) - 1) *y = *counter;
}

// One place, which one thread of each warp writes, or each block.
template <bool kRight>
__global__ void one_writer(int* counter, int* y) {
  if (threadIdx.x % 32 == 0 && (!kRight || threadIdx.x == 0)) *y = threadIdx.x;
}
template <bool kRight>
__global__ void one_block(int* counter, int* y) {
  if (!kRight || blockIdx.x == 0) *y = blockIdx.x;
}

#define BOTH(kernel, ...)                                   \
  template __global__ void kernel<true>(__VA_ARGS__);       \
  template __global__ void kernel<false>(__VA_ARGS__);
BOTH(tree, const int*, int*)
BOTH(scan_in_place, const int*, int*)
BOTH(double_buffer, const int*, int*)
BOTH(warp_tree, const int*, int*)
BOTH(half_warps, const int*, int*)
BOTH(neighbours, const int*, int*)
BOTH(shuffled, const int*, int*)
BOTH(bins, const unsigned char*, int*, int)
BOTH(total, const int*, int*)
BOTH(reverse_block, int*)
BOTH(last_block, const int*, int*, int*)
BOTH(last_block_all, int*, int*)
BOTH(chain, int*, volatile int*, int*)
BOTH(locked, int*, int*)
BOTH(counted_plainly, int*)
BOTH(counted_together, int*)
BOTH(handed_on, int*, int*, int*)
BOTH(handed_on_in_a_block, int*, int*, int*)
BOTH(counted_by_swaps, int*, int*)
BOTH(largest, int*)
BOTH(expected_from_elsewhere, int*, int*)
BOTH(first_one, int*, int*)
BOTH(one_writer, int*, int*)
BOTH(one_block, int*, int*)
BOTH(last_one_reads, int*, int*)
BOTH(whole_grid, int*, int*)
BOTH(grouped, const int*, int*)
BOTH(wide_tile, const int*, int*)
BOTH(brain, __nv_bfloat16*)
BOTH(guide, double*)
BOTH(bytes, unsigned char*)
BOTH(one_place, int*, int)
BOTH(producers, const int*, int*)
BOTH(pairs_of_warps, const int*, int*)
