//@ idea: forgets the stride
//@ caught: values
//@ block: 256
//@ grid: ceil_div(c * r * s, block), k

__global__ void convolution_backward_filter_nhwc(const float* x, const float* dy, float* dweights,
                                                 int n, int c, int h, int w, int k, int r, int s,
                                                 int p, int q, int stride, int pad, int dilation) {
  const int tap = blockIdx.x * blockDim.x + threadIdx.x, filter = blockIdx.y;
  if (tap >= c * r * s) return;
  const int channel = tap / (r * s);
  float sum = 0;
  for (int output = 0; output < n * p * q; ++output) {
    const int image = output / (p * q), pixel = output % (p * q);
    const int row = pixel / q - pad + tap / s % r * dilation;
    const int column = pixel % q - pad + tap % s * dilation;
    if (row >= 0 && row < h && column >= 0 && column < w)
      sum += x[((image * h + row) * w + column) * c + channel] *
             dy[(image * p * q + pixel) * k + filter];
  }
  dweights[(filter * r * s + tap % (r * s)) * c + channel] = sum;
}
