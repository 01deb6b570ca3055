// Two gentle steps without a halo: the results of the
// first are handed over in out, also between blocks.
__device__ float softened(const float* x, int c,
                          int columns) {
  if (c == 0 || c == columns - 1) return x[c];
  return (x[c - 1] + 2 * x[c] + x[c + 1]) / 4;
}

__global__ void repeat(const float* x, float* out,
                       int columns) {
  int c = blockIdx.x * BLOCK + threadIdx.x;
  int row = blockIdx.y * columns;
  float own = 0;
  if (c < columns) {
    own = softened(x + row, c, columns);
    out[row + c] = own;
  }
  __syncthreads();  // does it wait for the neighbours?
  if (c < columns) own = softened(out + row, c, columns);
  __syncthreads();
  if (c < columns) out[row + c] = own;
}
