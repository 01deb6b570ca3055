__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x / 8;
  for (int k = 0; i < n; i += step, ++k) {
    if (k % 8 == 0) x[i] = a * x[i];
    __syncwarp();  // so that the compiler cannot skip steps
  }
}
