//@ idea: forgets that raising one word lowers the others
//@ caught: values
//@ depth: columns + 2
//@ block: 256
//@ grid: ceil_div(rows * columns, block)

__global__ void softmax_backward(const float* y, const float* dy, float* dx, int rows,
                                 int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) dx[i] = y[i] * (1 - y[i]) * dy[i];
}
