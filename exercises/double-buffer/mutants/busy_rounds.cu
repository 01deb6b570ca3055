__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int row[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int now = 0;
  row[now][t] = cells[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    int left = t > 0 ? row[now][t - 1] : 0;
    int right = t + 1 < blockDim.x ? row[now][t + 1] : 0;
    int waste = left + r;
#pragma unroll 1
    for (int k = 0; k < 24; ++k) waste = waste * 5 + (waste >> 3);
    now = 1 - now;
    row[now][t] = waste == 12345 && rounds > 1000000 ? 2 : left ^ right;
    __syncthreads();
  }
  out[i] = row[now][t];
}
