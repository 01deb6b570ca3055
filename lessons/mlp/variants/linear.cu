// A layer in one kernel: y = max(x w + b, 0), or x w + b
// x: [n][inputs], w: [inputs][outputs], b: [outputs],
// y: [n][outputs]
__global__ void linear(const float* x, const float* w,
                       const float* b, float* y, int n,
                       int inputs, int outputs, int relu) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= outputs) return;

  float sum = 0;
  for (int i = 0; i < inputs; ++i)
    sum += x[row * inputs + i] * w[i * outputs + column];
  // The sum is in a register, so bias and ReLU cost no
  // further trip to memory.
  sum += b[column];
  y[row * outputs + column] = relu && sum < 0 ? 0 : sum;
}
