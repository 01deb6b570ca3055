// The rows are short, a thread keeps its own cell in a register, and the last round stores no row.
__global__ void grow(const int* cells, int* out,
                     int rounds) {
  __shared__ short rows[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int cell = cells[i];
  for (int r = 0; r < rounds; ++r) {
    short* row = rows[r % 2];
    row[t] = static_cast<short>(cell);
    __syncthreads();
    int left = t > 0 ? row[t - 1] : 0;
    int right = t + 1 < blockDim.x ? row[t + 1] : 0;
    cell = left ^ right;
  }
  out[i] = cell;
}
