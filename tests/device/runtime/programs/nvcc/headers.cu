// Thrust, CUB and cooperative groups, which are headers of CUDA's own: their code is compiled into the program and runs as it is.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kCount = 5000;

int failures = 0;
void expect(const char* what, long long got, long long exact) {
  if (got == exact) return;
  ++failures;
  std::printf("%s: %lld instead of %lld\n", what, got, exact);
}

/// The same numbers in another order.
std::vector<int> shuffled() {
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i) values[(i * 7LL + 3) % kCount] = i;
  return values;
}

struct Twice {
  __device__ int operator()(int v) const { return 2 * v; }
};

void thrust_sorts_and_sums() {
  thrust::device_vector<int> x(shuffled());
  expect("thrust::reduce", thrust::reduce(x.begin(), x.end(), 0LL), kCount * (kCount - 1LL) / 2);
  thrust::sort(x.begin(), x.end());
  for (int i : {0, 1, 2500, kCount - 1}) expect("thrust::sort", x[i], i);
  thrust::transform(x.begin(), x.end(), x.begin(), Twice());
  expect("thrust::transform", x[10], 20);
}

void cub_scans() {
  thrust::device_vector<int> x(kCount, 3), sums(kCount);
  std::size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, bytes, x.data().get(), sums.data().get(), kCount);
  thrust::device_vector<char> space(bytes);
  cub::DeviceScan::InclusiveSum(space.data().get(), bytes, x.data().get(), sums.data().get(),
                                kCount);
  expect("cub::DeviceScan", sums[kCount - 1], 3 * kCount);
  expect("cub::DeviceScan", sums[99], 300);
}

/// A tile of 16 threads sums, and then the whole grid meets.
__global__ void sum_tiles(int* sums, int* total) {
  const cg::grid_group grid = cg::this_grid();
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int sum = cg::reduce(tile, static_cast<int>(grid.thread_rank()), cg::plus<int>());
  if (tile.thread_rank() == 0) sums[grid.thread_rank() / 16] = sum;
  grid.sync();
  if (grid.thread_rank() != 0) return;
  *total = 0;
  for (unsigned i = 0; i < grid.size() / 16; ++i) *total += sums[i];
}

void groups_meet() {
  thrust::device_vector<int> sums(32), total(1);
  int *sums_data = sums.data().get(), *total_data = total.data().get();
  void* arguments[] = {&sums_data, &total_data};
  expect("cudaLaunchCooperativeKernel",
         cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_tiles), dim3(4), dim3(128),
                                     arguments, 0, nullptr),
         cudaSuccess);
  expect("cooperative groups", total[0], 512 * 511 / 2);
}

int main() {
  thrust_sorts_and_sums();
  cub_scans();
  groups_meet();
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
