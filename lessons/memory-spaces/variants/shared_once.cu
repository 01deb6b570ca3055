// With the barrier, but only block 0 fills the array.
__global__ void smooth(const float* x, const float* c,
                       float* out, int n) {
  __shared__ float a[8];
  if (blockIdx.x == 0 && threadIdx.x < 8)
    a[threadIdx.x] = c[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += a[k] * x[i + k];
  out[i] = sum;
}
