//@ idea: infinite exponentials: a sum that is not scaled to the maximum
//@ caught: values
//@ block: 128
//@ grid: ceil_div(rows, block)

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += expf(x[row * columns + i] + 20);
  for (int i = 0; i < columns; ++i) y[row * columns + i] = expf(x[row * columns + i] + 20) / sum;
}
