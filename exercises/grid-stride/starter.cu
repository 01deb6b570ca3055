// x[i] = a * x[i], i from 0 to n - 1
// x: [n]
__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // the grid may have fewer threads than x has elements
}
