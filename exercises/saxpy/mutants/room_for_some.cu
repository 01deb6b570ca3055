__device__ float products[16384];

__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    products[i % 16384] = a * x[i];
    y[i] = products[i % 16384] + y[i];
  }
}
