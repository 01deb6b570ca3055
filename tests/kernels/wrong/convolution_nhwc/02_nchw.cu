//@ idea: writes y as if it were NCHW
//@ caught: values
//@ block: 256
//@ grid: ceil_div(p * q, block), k, n

__global__ void convolution_nhwc(const float* x, const float* weights, const float* bias, float* y,
                                 int n, int c, int h, int w, int k, int r, int s, int p, int q,
                                 int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x, filter = blockIdx.y, image = blockIdx.z;
  if (pixel >= p * q) return;
  float sum = 0;
  for (int i = 0; i < c * r * s; ++i) {
    const int row = pixel / q * stride - pad + i / s % r * dilation;
    const int column = pixel % q * stride - pad + i % s * dilation;
    if (row >= 0 && row < h && column >= 0 && column < w)
      sum += x[((image * h + row) * w + column) * c + i / (r * s)] *
             weights[(filter * r * s + i % (r * s)) * c + i / (r * s)];
  }
  y[(image * k + filter) * p * q + pixel] = sum + bias[filter];
}
