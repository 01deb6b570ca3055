__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v[5];
    for (int k = 0; k < 5; ++k) v[k] = x[i + k];
    float s = 0;
#pragma unroll 1
    for (int k = 0; k < 5; ++k) s += coefficients[k] * v[k];
    out[i] = s;
  }
}
