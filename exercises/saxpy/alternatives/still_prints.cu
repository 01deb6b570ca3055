// Somebody forgot to take the printf out.
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf("a = %f, x[0] = %f\n", a, x[0]);
  if (i < n) y[i] = a * x[i] + y[i];
}
