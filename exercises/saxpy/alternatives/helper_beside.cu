// A kernel that the student tried things with stands before the one that is asked for.
__global__ void first_try(float* y) { y[threadIdx.x] = 0; }

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
