__constant__ float coefficients[5];

__global__ void constant_filter(const float* x,
                                float* out, int n) {
  __shared__ double tile[1024 + 4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int b = blockDim.x, first = blockIdx.x * b;
  for (int k = threadIdx.x; k < b + 4; k += b)
    if (first + k < n + 4) tile[k] = x[first + k];
  __syncthreads();
  if (i < n) {
    double s = 0;
    for (int k = 0; k < 5; ++k) s += coefficients[k] * tile[threadIdx.x + k];
    out[i] = s;
  }
}
