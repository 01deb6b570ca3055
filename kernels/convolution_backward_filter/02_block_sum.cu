//@ idea: a block a weight: its threads share out the outputs, and add up their sums by shuffles
//@ block: 256
//@ grid: c * r * s, k
//@ registers: 48
//@ bytes: 4 * (n * c * h * w + n * k * p * q + k * c * r * s)
//@ flops: 2 * n * k * p * q * c * r * s

// dweights = dy * x      x: [n][c][h][w], dy: [n][k][p][q], dweights: [k][c][r][s]
//
// The direct kernel has too few threads, each with too long a sum. Here 256 threads share one:
// neighbouring threads take neighbouring outputs, so that what they read of dy lies side by side,
// and of x too (at stride 1). Each adds its part; the 32 sums of a warp are added by shuffles, the
// 8 of the block through shared memory. Many short sums are more exact than a long one, besides.
//
// What is left: every pair of filter and tap reads dy and x anew, c r s times and k times. Nothing
// is used twice.
__global__ void convolution_backward_filter(const float* x, const float* dy, float* dweights, int n,
                                            int c, int h, int w, int k, int r, int s, int p, int q,
                                            int stride, int pad, int dilation) {
  __shared__ float warp_sums[32];
  const int tap = blockIdx.x, filter = blockIdx.y;
  const int channel = tap / (r * s);
  const int tap_row = tap / s % r * dilation - pad, tap_column = tap % s * dilation - pad;

  float sum = 0;
  for (int output = threadIdx.x; output < n * p * q; output += blockDim.x) {
    const int image = output / (p * q), pixel = output % (p * q);
    const int row = pixel / q * stride + tap_row, column = pixel % q * stride + tap_column;
    if (row >= 0 && row < h && column >= 0 && column < w) {
      sum += dy[(image * k + filter) * p * q + pixel] *
             x[((image * c + channel) * h + row) * w + column];
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();  // all warps' sums are there
  if (threadIdx.x == 0) {
    sum = 0;
    for (int warp = 0; warp < blockDim.x / 32; ++warp) sum += warp_sums[warp];
    dweights[filter * c * r * s + tap] = sum;
  }
}
