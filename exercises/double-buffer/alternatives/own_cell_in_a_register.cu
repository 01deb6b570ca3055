// Each block has a row of cells of its own, 0 or 1. In a
// round every cell becomes left ^ right; beyond either end
// of the row all cells are 0.
// cells, out: [gridDim.x * blockDim.x]; at most 256 threads
__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ int row[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int mine = cells[i];
  for (int r = 0; r < rounds; ++r) {
    row[r & 1][t] = mine;
    __syncthreads();
    int left = t > 0 ? row[r & 1][t - 1] : 0;
    int right = t + 1 < blockDim.x ? row[r & 1][t + 1] : 0;
    mine = left ^ right;
  }
  out[i] = mine;
}
