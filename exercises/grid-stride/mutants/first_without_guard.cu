__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    x[i] = a * x[i];
    i += gridDim.x * blockDim.x;
  } while (i < n);
}
