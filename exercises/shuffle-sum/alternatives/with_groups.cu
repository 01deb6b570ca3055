#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// *total, which the host sets to 0, becomes the sum of
// x: [n]
__global__ void sum(const float* x, float* total, int n) {
  __shared__ float part[32];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int threads = gridDim.x * blockDim.x;
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += threads)
    value += x[i];
  for (int step = 16; step > 0; step /= 2)
    value += warp.shfl_down(value, step);
  if (warp.thread_rank() == 0) part[warp.meta_group_rank()] = value;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    int lane = warp.thread_rank();
    value = lane < warp.meta_group_size() ? part[lane] : 0;
    for (int step = 16; step > 0; step /= 2)
      value += warp.shfl_down(value, step);
    if (lane == 0) atomicAdd(total, value);
  }
}
