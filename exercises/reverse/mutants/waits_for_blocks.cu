__device__ int arrived;

__global__ void set_aside(const float* x, float* aside, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) arrived = 0;
  if (i < n) aside[i] = x[i];
}

__global__ void put_back(const float* aside, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float other = i < n ? aside[n - 1 - i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) {  // waits until all blocks have read
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) {
    }
  }
  __syncthreads();
  if (i < n) x[i] = other;
}
