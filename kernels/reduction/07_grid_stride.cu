//@ idea: a fixed grid, many elements a thread, and a second launch instead of atomics
//@ block: 256
//@ defines: BLOCKS=1056
//@ needs: 75
//@ registers: 40
//@ bytes: 4 * n
//@ flops: n
//@ depth: 4 * ceil_div(n, max(1, 4 * block * blocks)) + 8 + 2 * ceil_log2(block) + ceil_div(blocks, block)
//@ let: blocks = min(ceil_div(n, 4 * block), BLOCKS)
//@ workspace: partial f32[blocks]
//@ launch: sum_blocks(x, partial, n)
//@ grid: blocks
//@ launch: sum_blocks(partial, out, blocks)
//@ grid: 1

#ifndef BLOCKS
#define BLOCKS 1056
#endif

// x: [n], partial: [blocks], out: [1]
//
// What should the threads of a sum do? Load. Everything else (rounds, barriers, shuffles) is paid once a thread, so let there be few
// threads with many elements each: as many blocks as run at once, each thread adding four elements a step, a whole grid
// further on each time, in registers. The tree comes once, at the end.
//
// Each block leaves its sum in a place of its own, and a second launch of the same kernel, with one block, sums those: 1,056
// floats, next to nothing. No atomics, so the order of additions is always the same: two runs give the same bits. It is a better sum,
// too: no element passes through more than a few hundred additions, where rung 01 may lose as many bits as n has.
constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;
constexpr int kVector = 4;

__device__ float warp_sum(float value) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(kAllLanes, value, offset);
  return value;
}

/// sums[block] = what the block's threads meet of x: [n]
__global__ void sum_blocks(const float* x, float* sums, int n) {
  __shared__ float partial[kWarp];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int grid_threads = gridDim.x * blockDim.x;

  // float4 wants addresses that are multiples of 16; up to the first one, and after the last, there are three elements at most.
  const unsigned long long word = reinterpret_cast<unsigned long long>(x) / sizeof(float);
  const int head = min(n, static_cast<int>((kVector - word % kVector) % kVector));
  const int vectors = (n - head) / kVector;
  const int tail = head + vectors * kVector;
  const float4* x4 = reinterpret_cast<const float4*>(x + head);

  float sum = 0;
  for (int v = thread; v < vectors; v += grid_threads) {
    const float4 four = x4[v];
    sum += (four.x + four.y) + (four.z + four.w);
  }
  if (thread < head) sum += x[thread];
  if (thread < n - tail) sum += x[tail + thread];

  sum = warp_sum(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();  // the first warp reads what the others have stored
  if (warp == 0) {
    sum = warp_sum(lane < blockDim.x / kWarp ? partial[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = sum;
  }
}
