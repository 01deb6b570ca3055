//@ idea: takes an output for every row, whatever the stride
//@ caught: values
//@ block: 256
//@ grid: ceil_div(h * w, block), c, n

__global__ void convolution_backward_data_nhwc(const float* dy, const float* weights, float* dx,
                                               int n, int c, int h, int w, int k, int r, int s,
                                               int p, int q, int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y, image = blockIdx.z;
  if (pixel >= h * w) return;
  float sum = 0;
  for (int i = 0; i < k * r * s; ++i) {
    const int from_row = pixel / w + pad - i / s % r * dilation;
    const int from_column = pixel % w + pad - i % s * dilation;
    const int filter = i / (r * s), out_row = from_row / stride, out_column = from_column / stride;
    if (from_row >= 0 && from_column >= 0 && out_row < p && out_column < q)
      sum += dy[((image * p + out_row) * q + out_column) * k + filter] *
             weights[(filter * r * s + i % (r * s)) * c + channel];
  }
  dx[(image * h * w + pixel) * c + channel] = sum;
}
