__global__ void saxpy(int n, float a, const float* x, float* y) {
  __shared__ float sums[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 4 == 0) {
    for (int k = 0; k < 4 && i + k < n; ++k) sums[threadIdx.x + k] = a * x[i + k] + y[i + k];
  }
  __syncwarp();
  if (i < n) y[i] = sums[threadIdx.x];
}
