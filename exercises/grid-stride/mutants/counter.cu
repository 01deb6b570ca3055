__device__ int drawn, done;

__global__ void scale(int n, float a, float* x) {
  for (int i; (i = atomicAdd(&drawn, 1)) < n;) x[i] = a * x[i];
  // The last thread to come here clears the counter for the next launch.
  __threadfence();
  if (atomicAdd(&done, 1) == gridDim.x * blockDim.x - 1) {
    atomicExch(&drawn, 0);
    atomicExch(&done, 0);
  }
}
