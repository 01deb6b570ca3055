//@ idea: adds up the warps' sums before they are there
//@ caught: race
//@ block: 256
//@ grid: c * r * s, k

__global__ void convolution_backward_filter(const float* x, const float* dy, float* dweights, int n,
                                            int c, int h, int w, int k, int r, int s, int p, int q,
                                            int stride, int pad, int dilation) {
  __shared__ float warp_sums[8];
  const int tap = blockIdx.x, filter = blockIdx.y;
  float sum = 0;
  for (int output = threadIdx.x; output < n * p * q; output += blockDim.x) {
    const int image = output / (p * q), pixel = output % (p * q);
    const int row = pixel / q * stride - pad + tap / s % r * dilation;
    const int column = pixel % q * stride - pad + tap % s * dilation;
    if (row >= 0 && row < h && column >= 0 && column < w)
      sum += dy[(image * k + filter) * p * q + pixel] *
             x[((image * c + tap / (r * s)) * h + row) * w + column];
  }
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  if (threadIdx.x == 0) {
    sum = 0;
    for (int warp = 0; warp < 8; ++warp) sum += warp_sums[warp];
    dweights[filter * c * r * s + tap] = sum;
  }
}
