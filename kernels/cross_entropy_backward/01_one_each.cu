//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(rows * columns, block)
//@ registers: 40
//@ bytes: 8 * rows * columns + 4 * rows
//@ flops: 3 * rows * columns

// dx = (y - onehot(label)) dloss / rows      y, dx: [rows][columns], label: [rows], dloss: [1]
//
// softmax's own gradient has a sum over the row in it, and the logarithm's a division by y. Taken
// together both vanish: what is left is how far each probability is from what it should be.
__global__ void cross_entropy_backward(const float* y, const int* label, const float* dloss,
                                       float* dx, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;  // the last block reaches past the end
  const float wanted = i % columns == label[i / columns] ? 1 : 0;
  dx[i] = (y[i] - wanted) * dloss[0] / rows;
}
