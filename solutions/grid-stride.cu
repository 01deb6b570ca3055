// x[i] = a * x[i], i from 0 to n - 1
// x: [n]
__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // The threads of all blocks: a step of blockDim.x alone would lead into the next block's elements.
  int threads = gridDim.x * blockDim.x;
  // The loop's condition is the guard: a thread that starts at n or later does nothing.
  for (; i < n; i += threads) {
    x[i] = a * x[i];
  }
}
