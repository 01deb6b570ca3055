//@ idea: a warp an output: its lanes share out the channels, which are neighbours in x and in the weights
//@ defines: WARPS=4
//@ block: 32, WARPS
//@ grid: p * q, ceil_div(k, WARPS), n
//@ registers: 72
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s

// y = x * weights + bias      x: [n][h][w][c], weights: [k][r][s][c], bias: [k], y: [n][p][q][k]
//
// In NHWC an output is r s dot products of c neighbours with c neighbours. A warp walks them 32
// channels at a time: what it reads of x and of the weights is whole sectors, 8 for 32
// multiply-adds, where the direct kernel took 33. At the end five shuffles add the lanes' sums.
// With few channels (3, in a first layer) most lanes have nothing to do.
#ifndef WARPS
#define WARPS 4  // filters a block, at one pixel: its words of x then come from the L1 cache
#endif

__global__ void convolution_nhwc(const float* x, const float* weights, const float* bias, float* y,
                                 int n, int c, int h, int w, int k, int r, int s, int p, int q,
                                 int stride, int pad, int dilation) {
  const int lane = threadIdx.x, filter = blockIdx.y * WARPS + threadIdx.y;
  const int out_row = blockIdx.x / q, out_column = blockIdx.x % q, image = blockIdx.z;
  if (filter >= k) return;  // the whole warp: the shuffles below miss nobody

  float sum = 0;
  for (int tap_row = 0; tap_row < r; ++tap_row) {
    const int row = out_row * stride - pad + tap_row * dilation;
    if (row < 0 || row >= h) continue;
    for (int tap_column = 0; tap_column < s; ++tap_column) {
      const int column = out_column * stride - pad + tap_column * dilation;
      if (column < 0 || column >= w) continue;
      const float* pixel = x + ((image * h + row) * w + column) * c;
      const float* taps = weights + ((filter * r + tap_row) * s + tap_column) * c;
      for (int channel = lane; channel < c; channel += 32) sum += pixel[channel] * taps[channel];
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (lane == 0) y[((image * p + out_row) * q + out_column) * k + filter] = sum + bias[filter];
}
