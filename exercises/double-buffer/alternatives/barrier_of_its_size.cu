__device__ void wait() {
  if (blockDim.x > 32)
    __syncthreads();
  else
    __syncwarp();
}

__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int row[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  row[0][t] = cells[i];
  wait();
  for (int r = 0; r < rounds; ++r) {
    int left = t > 0 ? row[r % 2][t - 1] : 0;
    int right = t + 1 < blockDim.x ? row[r % 2][t + 1] : 0;
    row[1 - r % 2][t] = left ^ right;
    wait();
  }
  out[i] = row[rounds % 2][t];
}
