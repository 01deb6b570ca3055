__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int row[2][256];
  int t = threadIdx.x, n = blockDim.x, half = (n + 1) / 2;
  int i = blockIdx.x * n + t;
  int now = 0;
  row[now][t] = cells[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    for (int c = t; t < half && c < n; c += half) {
      int left = c > 0 ? row[now][c - 1] : 0;
      int right = c + 1 < n ? row[now][c + 1] : 0;
      row[1 - now][c] = left ^ right;
    }
    now = 1 - now;
    __syncthreads();
  }
  out[i] = row[now][t];
}
