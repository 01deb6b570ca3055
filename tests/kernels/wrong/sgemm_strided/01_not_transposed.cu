//@ idea: takes both matrices for row-major
//@ caught: values
//@ block: 32, 4
//@ grid: ceil_div(n, 32), ceil_div(m, 4)

__global__ void sgemm_strided(const float* a, const float* b, float* c, int m, int n, int k,
                              int a_row, int a_column, int b_row, int b_column) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int depth = 0; depth < k; ++depth) sum += a[row * k + depth] * b[depth * n + column];
  c[row * n + column] = sum;
}
