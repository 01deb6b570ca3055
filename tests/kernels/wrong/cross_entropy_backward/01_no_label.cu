//@ idea: forgets that the label's probability should be 1
//@ caught: values
//@ block: 256
//@ grid: ceil_div(rows * columns, block)

__global__ void cross_entropy_backward(const float* y, const int* label, const float* dloss,
                                       float* dx, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) dx[i] = y[i] * dloss[0] / rows;
}
