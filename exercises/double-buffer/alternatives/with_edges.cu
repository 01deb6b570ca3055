// Each block has a row of cells of its own, 0 or 1. In a
// round every cell becomes left ^ right; beyond either end
// of the row all cells are 0.
// cells, out: [gridDim.x * blockDim.x]; at most 256 threads
__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int row[2][258];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int now = 0;
  if (t < 2) row[t][0] = row[t][blockDim.x + 1] = 0;
  if (blockDim.x == 1) row[1][0] = row[1][2] = 0;
  row[now][t + 1] = cells[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    int cell = row[now][t] ^ row[now][t + 2];
    now = 1 - now;
    row[now][t + 1] = cell;
    __syncthreads();
  }
  out[i] = row[now][t + 1];
}
