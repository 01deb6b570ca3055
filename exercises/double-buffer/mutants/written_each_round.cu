// Each block has a row of cells of its own, 0 or 1. In a
// round every cell becomes left ^ right; beyond either end
// of the row all cells are 0.
// cells, out: [gridDim.x * blockDim.x]; at most 256 threads
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
    now = 1 - now;
    row[now][t] = left ^ right;
    out[i] = left ^ right;
    __syncthreads();
  }
  out[i] = row[now][t];
}
