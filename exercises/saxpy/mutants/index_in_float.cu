__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  float place = (float)blockIdx.x * blockDim.x + threadIdx.x;
  int i = (int)place;
  if (place < n) y[i] = a * x[i] + y[i];
}
