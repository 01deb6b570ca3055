//@ idea: leaves out what is beyond the last whole group of four
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, 4 * block)

__global__ void activation_relu(const float* x, float* y, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (first + 4 > n) return;
  for (int i = first; i < first + 4; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
