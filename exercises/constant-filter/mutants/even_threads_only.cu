__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t % 2 == 0)
  for (int i = t; i < n && i < t + 2; ++i) {
    float s = 0;
    for (int k = 0; k < 5; ++k) s += coefficients[k] * x[i + k];
    out[i] = s;
  }
}
