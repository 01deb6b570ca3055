// Each block has a row of cells of its own, 0 or 1. In a
// round every cell becomes left ^ right; beyond either end
// of the row all cells are 0.
// cells, out: [gridDim.x * blockDim.x]; at most 256 threads
__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int row[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (t != 0) return;
  int now = 0;
  for (int k = 0; k < blockDim.x; ++k) row[now][k] = cells[i + k];
  for (int r = 0; r < rounds; ++r) {
    for (int k = 0; k < blockDim.x; ++k) {
      int left = k > 0 ? row[now][k - 1] : 0;
      int right = k + 1 < blockDim.x ? row[now][k + 1] : 0;
      row[1 - now][k] = left ^ right;
    }
    now = 1 - now;
  }
  for (int k = 0; k < blockDim.x; ++k) out[i + k] = row[now][k];
}
