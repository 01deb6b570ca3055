//@ idea: forgets all images but the first
//@ caught: values
//@ block: 256
//@ grid: ceil_div(c * r * s, block), k

__global__ void convolution_backward_filter(const float* x, const float* dy, float* dweights, int n,
                                            int c, int h, int w, int k, int r, int s, int p, int q,
                                            int stride, int pad, int dilation) {
  const int tap = blockIdx.x * blockDim.x + threadIdx.x, filter = blockIdx.y;
  if (tap >= c * r * s) return;
  const int channel = tap / (r * s);
  float sum = 0;
  for (int output = 0; output < min(n, 1) * p * q; ++output) {
    const int image = output / (p * q), pixel = output % (p * q);
    const int row = pixel / q * stride - pad + tap / s % r * dilation;
    const int column = pixel % q * stride - pad + tap % s * dilation;
    if (row >= 0 && row < h && column >= 0 && column < w)
      sum += x[((image * c + channel) * h + row) * w + column] *
             dy[(image * k + filter) * p * q + pixel];
  }
  dweights[filter * c * r * s + tap] = sum;
}
