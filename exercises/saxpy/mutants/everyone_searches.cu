__global__ void saxpy(int n, float a, const float* x, float* y) {
  int mine = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i) {  // walks to its element instead of going there
    if (i == mine && a != 0.0f) y[i] = a * x[i] + y[i];
    __syncwarp();                // so that the compiler cannot skip the walk
  }
}
