//@ idea: adds to dx from many threads without atomics
//@ caught: race
//@ zero: dx
//@ block: 256
//@ grid: ceil_div(p * q, block), 1, n

__global__ void convolution_backward_data(const float* dy, const float* weights, float* dx, int n,
                                          int c, int h, int w, int k, int r, int s, int p, int q,
                                          int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x, image = blockIdx.z;
  if (pixel >= p * q) return;
  for (int i = 0; i < k * c * r * s; ++i) {
    const int row = pixel / q * stride - pad + i / s % r * dilation;
    const int column = pixel % q * stride - pad + i % s * dilation;
    if (row < 0 || row >= h || column < 0 || column >= w) continue;
    dx[((image * c + i / (r * s) % c) * h + row) * w + column] +=
        dy[(image * k + i / (c * r * s)) * p * q + pixel] * weights[i];
  }
}
