__global__ void scale(int n, float a, float* x) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {  // walks over all tiles to find its block's
    if (i / blockDim.x % gridDim.x == blockIdx.x) x[i] = a * x[i];
  }
}
