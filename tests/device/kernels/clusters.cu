// Clusters with distributed shared memory, grids that meet, groups of threads, and cuda::atomic and its relatives.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

namespace cg = cooperative_groups;

// Each cluster adds up its share of x; every block adds its own, the first one the blocks' sums.
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const int* x, long long* sums, int n) {
  const auto cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  __shared__ long long own;
  if (threadIdx.x == 0) own = 0;
  block.sync();
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  atomicAdd(reinterpret_cast<unsigned long long*>(&own), static_cast<unsigned long long>(sum));
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    long long all = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); ++r) all += *cluster.map_shared_rank(&own, r);
    sums[blockIdx.x / cluster.num_blocks()] = all;
  }
  cluster.sync();
}

// Bins lie in the shared memory of all blocks of a cluster (CUDA C++ Programming Guide, "Distributed Shared Memory").
__global__ void cluster_histogram(const int* x, int n, int* bins, int count) {
  extern __shared__ int own[];
  const auto cluster = cg::this_cluster();
  const int share = (count + cluster.num_blocks() - 1) / cluster.num_blocks();
  for (int i = threadIdx.x; i < share; i += blockDim.x) own[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = x[i];
    atomicAdd(cluster.map_shared_rank(own, bin / share) + bin % share, 1);
  }
  cluster.sync();
  const int first = cluster.block_rank() * share;
  for (int i = threadIdx.x; i < share && first + i < count; i += blockDim.x)
    atomicAdd(&bins[first + i], own[i]);
}

// A ring: each block hands a value on to the next one's shared memory, as often as there are blocks.
__global__ void ring(int* y) {
  const auto cluster = cg::this_cluster();
  __shared__ int box[2];
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  if (threadIdx.x == 0) box[0] = blockIdx.x;
  cluster.sync();
  for (unsigned r = 0; r < cluster.num_blocks() - 1; ++r) {
    if (threadIdx.x == 0) *cluster.map_shared_rank(&box[(r + 1) % 2], next) = box[r % 2] * 2 + 1;
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
  }
  if (threadIdx.x == 0) y[blockIdx.x] = box[(cluster.num_blocks() - 1) % 2];
}

// Every thread says where it is.
__global__ void whereabouts(unsigned* y) {
  const auto cluster = cg::this_cluster();
  unsigned* mine = y + 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  mine[0] = cluster.block_rank();
  mine[1] = cluster.num_blocks();
  mine[2] = cluster.thread_rank();
  mine[3] = cluster.num_threads();
  mine[4] = cluster.block_index().x;
  mine[5] = cluster.dim_blocks().x;
  __shared__ int here;
  mine[6] = cluster.query_shared_rank(cluster.map_shared_rank(&here, 0));
  mine[7] = __clusterSizeInBlocks();
}

// Wrong on purpose: the neighbour may have ended.
__global__ void __cluster_dims__(2, 1, 1) left_too_early(int* y) {
  __shared__ int own;
  const auto cluster = cg::this_cluster();
  own = 7;
  cluster.sync();
  if (cluster.block_rank() == 1) return;
  for (int i = 0; i < 50; ++i) __nanosleep(100);
  y[0] = *cluster.map_shared_rank(&own, 1);
}

// Jacobi's iteration over a grid that meets after each step.
__global__ void jacobi(float* a, float* b, int n, int steps) {
  const auto grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    const float* from = s % 2 ? b : a;
    float* to = s % 2 ? a : b;
    for (int i = grid.thread_rank(); i < n; i += grid.num_threads())
      to[i] = i == 0 || i == n - 1 ? from[i] : 0.5f * (from[i - 1] + from[i + 1]);
    grid.sync();
  }
}

// Reductions and scans by tiles, by coalesced and by labelled groups.
__global__ void groups(const int* x, int* y) {
  const auto block = cg::this_thread_block();
  const int i = threadIdx.x, n = blockDim.x;
  const auto warp = cg::tiled_partition<32>(block);
  y[i] = cg::reduce(warp, x[i], cg::plus<int>());
  const auto four = cg::tiled_partition<4>(warp);
  y[n + i] = cg::reduce(four, x[i], cg::greater<int>());
  y[2 * n + i] = cg::inclusive_scan(warp, x[i]);
  y[3 * n + i] = cg::exclusive_scan(four, x[i], cg::plus<int>());
  y[4 * n + i] = -1;
  if (x[i] % 3 == 0) {
    const auto active = cg::coalesced_threads();
    y[4 * n + i] = cg::reduce(active, x[i], cg::plus<int>()) * 100 + active.thread_rank();
  }
  const auto same = cg::labeled_partition(cg::coalesced_threads(), x[i] % 4);
  y[5 * n + i] = cg::reduce(same, 1, cg::plus<int>());
  const auto halves = cg::binary_partition(warp, x[i] % 2 != 0);
  y[6 * n + i] = halves.num_threads() * 100 + halves.thread_rank();
  y[7 * n + i] = cg::invoke_one_broadcast(warp, [&] { return x[0]; });
}

// Counts through cuda::atomic in shared memory and cuda::atomic_ref in global memory.
__global__ void atomics(const int* x, int n, int* total, int* most, unsigned long long* tickets) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> sum;
  if (threadIdx.x == 0) new (&sum) cuda::atomic<int, cuda::thread_scope_block>(0);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum.fetch_add(x[i], cuda::std::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device>(*most).fetch_max(x[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*total);
    int seen = all.load(cuda::std::memory_order_acquire);
    while (!all.compare_exchange_weak(seen, seen + sum.load())) {
    }
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(*tickets).fetch_add(
        1, cuda::std::memory_order_acq_rel);
  }
}

// A latch that all threads count down, then a semaphore that lets `permits` of them in at a time.
__global__ void latch_and_semaphore(int* y, int permits) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Door = cuda::counting_semaphore<cuda::thread_scope_block, 64>;
  __shared__ alignas(Latch) char latch_room[sizeof(Latch)];
  __shared__ alignas(Door) char door_room[sizeof(Door)];
  Latch& latch = *reinterpret_cast<Latch*>(latch_room);
  Door& door = *reinterpret_cast<Door*>(door_room);
  __shared__ int inside, most, arrived;
  if (threadIdx.x == 0) {
    new (&latch) Latch(blockDim.x);
    new (&door) Door(permits);
    inside = most = arrived = 0;
  }
  __syncthreads();
  atomicAdd(&arrived, 1);
  latch.arrive_and_wait();
  const int seen = atomicAdd(&arrived, 0);
  door.acquire();
  atomicMax(&most, atomicAdd(&inside, 1) + 1);
  __nanosleep(20);
  atomicAdd(&inside, -1);
  door.release();
  __syncthreads();
  y[threadIdx.x] = seen * 1000 + (most <= permits && most > 0 ? 1 : 0);
}

// A cuda::barrier in global memory, for threads of all blocks.
__global__ void across_blocks(cuda::barrier<cuda::thread_scope_device>* bar, int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  x[i] = i * i;
  bar->arrive_and_wait();
  y[i] = x[n - 1 - i];
}
__global__ void make_barrier(cuda::barrier<cuda::thread_scope_device>* bar, int expected) {
  init(bar, expected);
}
