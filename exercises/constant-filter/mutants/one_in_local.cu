__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    volatile float c4[1];
    c4[0] = coefficients[4];
    float s = 0;
    for (int k = 0; k < 4; ++k) s += coefficients[k] * x[i + k];
    out[i] = s + c4[0] * x[i + 4];
  }
}
