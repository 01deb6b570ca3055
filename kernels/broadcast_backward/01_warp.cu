//@ idea: a warp an element of the result: its lanes share out what was repeated, and shuffles add up their sums
//@ defines: WARPS=4
//@ block: 32, WARPS
//@ grid: ceil_div(k0 * k1 * k2 * k3, WARPS)
//@ registers: 56
//@ depth: ceil_div(d0 * d1 * d2 * d3, 32 * max(1, k0 * k1 * k2 * k3)) + 6
//@ bytes: 4 * (d0 * d1 * d2 * d3 + k0 * k1 * k2 * k3)
//@ flops: d0 * d1 * d2 * d3

// out = dy, summed along the axes of which k is 1      dy: [d0][d1][d2][d3], out: [k0][k1][k2][k3]
//
// What a word contributed to several results, it gets a gradient from each of: so where the forward
// pass repeated a word along an axis, the backward pass adds up along it. Each k is either the d of
// its axis, which stays, or 1, and then the axis is summed. The order of the additions is fixed, so
// two runs give the same bits.
#ifndef WARPS
#define WARPS 4  // elements of the result a block
#endif

__global__ void broadcast_backward(const float* dy, float* out, int d0, int d1, int d2, int d3,
                                   int k0, int k1, int k2, int k3) {
  const int lane = threadIdx.x, element = blockIdx.x * WARPS + threadIdx.y;
  if (element >= k0 * k1 * k2 * k3) return;  // the whole warp: the shuffles below miss nobody
  // How often each axis is summed, and the result's own place along those that stay.
  const int r0 = d0 / k0, r1 = d1 / k1, r2 = d2 / k2, r3 = d3 / k3;
  const int i0 = element / (k1 * k2 * k3), i1 = element / (k2 * k3) % k1;
  const int i2 = element / k3 % k2, i3 = element % k3;

  float sum = 0;
  for (int term = lane; term < r0 * r1 * r2 * r3; term += 32) {
    const int t0 = i0 + term / (r1 * r2 * r3), t1 = i1 + term / (r2 * r3) % r1;
    const int t2 = i2 + term / r3 % r2, t3 = i3 + term % r3;
    sum += dy[((t0 * d1 + t1) * d2 + t2) * d3 + t3];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (lane == 0) out[element] = sum;
}
