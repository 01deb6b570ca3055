__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double product = static_cast<double>(a) * static_cast<double>(x[i]);
    y[i] = static_cast<float>(product + static_cast<double>(y[i]));
  }
}
