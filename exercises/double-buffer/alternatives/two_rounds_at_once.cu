// Each block has a row of cells of its own, 0 or 1. In a
// round every cell becomes left ^ right; beyond either end
// of the row all cells are 0.
// cells, out: [gridDim.x * blockDim.x]; at most 256 threads
__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int row[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  // Two rounds: each neighbour is replaced by its own neighbours.
  int now = 0;
  row[now][t] = cells[i];
  __syncthreads();
  int n = blockDim.x;
  for (int r = rounds; r > 0; r -= 2) {
    int cell;
    if (r == 1) {
      int left = t > 0 ? row[now][t - 1] : 0;
      int right = t + 1 < n ? row[now][t + 1] : 0;
      cell = left ^ right;
    } else {
      int left = t > 0 ? (t > 1 ? row[now][t - 2] : 0) ^ row[now][t] : 0;
      int right =
          t + 1 < n ? row[now][t] ^ (t + 2 < n ? row[now][t + 2] : 0) : 0;
      cell = left ^ right;
    }
    now = 1 - now;
    row[now][t] = cell;
    __syncthreads();
  }
  out[i] = row[now][t];
}
