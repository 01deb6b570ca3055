//@ idea: takes the share of one window only
//@ caught: values
//@ depth: r * s
//@ block: 256
//@ grid: ceil_div(h * w, block), planes

__global__ void pooling_average_backward(const float* dy, float* dx, int planes, int h, int w,
                                         int r, int s, int p, int q, int stride, int pad) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x, plane = blockIdx.y;
  if (pixel >= h * w) return;
  const int out_row = (pixel / w + pad) / stride, out_column = (pixel % w + pad) / stride;
  const bool covered = out_row < p && out_column < q;
  dx[plane * h * w + pixel] = covered ? dy[(plane * p + out_row) * q + out_column] / (r * s) : 0;
}
