__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float* product = const_cast<float*>(x) + i;
    *product *= a;
    y[i] += *product;
  }
}
