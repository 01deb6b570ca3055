__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float one = lane < 5 ? coefficients[lane] : 0;
  float sum = 0;
  for (int k = 0; k < 5; ++k) {
    float coefficient = __shfl_sync(~0u, one, k);
    if (i < n) sum += coefficient * x[i + k];
  }
  if (i < n) out[i] = sum;
}
