__device__ int rows[2][66 * 256 * 4];

__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int shown[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int *from = rows[0] + i - t, *to = rows[1] + i - t;
  from[t] = cells[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    int left = t > 0 ? from[t - 1] : 0;
    int right = t + 1 < blockDim.x ? from[t + 1] : 0;
    shown[t] = left ^ right;
    to[t] = *(volatile int*)&shown[t];
    int* old = from;
    from = to;
    to = old;
    __syncthreads();
  }
  out[i] = from[t];
}
