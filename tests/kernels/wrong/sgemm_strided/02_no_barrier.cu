//@ idea: reads a row of A from shared memory without waiting for the threads that fetch it
//@ caught: race
//@ block: 64
//@ grid: ceil_div(n, block), m

__global__ void sgemm_strided(const float* a, const float* b, float* c, int m, int n, int k,
                              int a_row, int a_column, int b_row, int b_column) {
  __shared__ float of_a[128];
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  for (int depth = threadIdx.x; depth < k; depth += blockDim.x)
    of_a[depth] = a[row * a_row + depth * a_column];
  if (column >= n) return;
  float sum = 0;
  for (int depth = 0; depth < k; ++depth) sum += of_a[depth] * b[depth * b_row + column * b_column];
  c[row * n + column] = sum;
}
