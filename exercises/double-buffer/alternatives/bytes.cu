__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ unsigned char row[2][256];
  int t = threadIdx.x, n = blockDim.x;
  int i = blockIdx.x * n + t;
  row[0][t] = cells[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    const unsigned char* from = row[r % 2];
    int left = t > 0 ? from[t - 1] : 0;
    int right = t + 1 < n ? from[t + 1] : 0;
    row[1 - r % 2][t] = left ^ right;
    __syncthreads();
  }
  out[i] = row[rounds % 2][t];
}
