// Each block has a row of cells of its own, 0 or 1. In a
// round every cell becomes left ^ right; beyond either end
// of the row all cells are 0.
// cells, out: [gridDim.x * blockDim.x]; at most 256 threads
__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int row[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  row[0][t] = cells[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    int sum = 0;
    if (t > 0) sum += row[r % 2][t - 1];
    if (t + 1 < blockDim.x) sum += row[r % 2][t + 1];
    row[(r + 1) % 2][t] = sum % 2;
    __syncthreads();
  }
  out[i] = row[rounds % 2][t];
}
