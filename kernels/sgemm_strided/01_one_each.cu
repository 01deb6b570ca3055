//@ idea: one thread an element of C; neighbouring threads take neighbouring columns
//@ block: 32, 4
//@ grid: ceil_div(n, 32), ceil_div(m, 4)
//@ registers: 64
//@ bytes: 4 * m * n
//@ flops: 2 * m * n * k

// c = a b      c: [m][n]; a[i][j] lies at i a_row + j a_column, b[i][j] at i b_row + j b_column
//
// The gradients of a product are products again: of C = A B they are dA = dC B^T and dB = A^T dC.
// A transposed matrix is the same memory with its strides swapped, so it is read where it lies, and
// nothing is copied.
__global__ void sgemm_strided(const float* a, const float* b, float* c, int m, int n, int k,
                              int a_row, int a_column, int b_row, int b_column) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;  // the last blocks reach past C

  const float *of_a = a + row * a_row, *of_b = b + column * b_column;
  float sum = 0;
  for (int depth = 0; depth < k; ++depth) sum += of_a[depth * a_column] * of_b[depth * b_row];
  c[row * n + column] = sum;
}
