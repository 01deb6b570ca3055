__global__ void set_aside(const float* x, float* aside, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void put_back(const float* aside, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[n - 1 - i] = x[i];  // reads what another block has written over, or has not
}
