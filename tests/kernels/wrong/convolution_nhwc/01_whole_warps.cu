//@ idea: a warp an output that leaves out the channels beyond the last whole 32
//@ caught: values
//@ block: 32
//@ grid: k, p * q, n

__global__ void convolution_nhwc(const float* x, const float* weights, const float* bias, float* y,
                                 int n, int c, int h, int w, int k, int r, int s, int p, int q,
                                 int stride, int pad, int dilation) {
  const int lane = threadIdx.x, filter = blockIdx.x, image = blockIdx.z;
  float sum = 0;
  for (int tap = 0; tap < r * s; ++tap) {
    const int row = blockIdx.y / q * stride - pad + tap / s * dilation;
    const int column = blockIdx.y % q * stride - pad + tap % s * dilation;
    if (row < 0 || row >= h || column < 0 || column >= w) continue;
    for (int channel = lane; channel < c / 32 * 32; channel += 32)
      sum += x[((image * h + row) * w + column) * c + channel] *
             weights[(filter * r * s + tap) * c + channel];
  }
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (lane == 0) y[(image * p * q + blockIdx.y) * k + filter] = sum + bias[filter];
}
