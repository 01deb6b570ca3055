//@ idea: one thread an element of C; neighbouring threads take neighbouring rows
//@ block: 32, 8
//@ grid: ceil_div(m, 32), ceil_div(n, 8)
//@ needs: 75
//@ registers: 56
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k

// c = a b      a: [m][k], b: [k][n], c: [m][n], row-major
//
// Each element of C is a dot product of a row of A and a column of B: k multiplications, k
// additions, 2 k loads. That is 4 bytes asked for a flop, where a GPU can fetch about 1 byte in the
// time of 15 flops: the loads bound it.
//
// And they are the worst kind. The 32 threads of a warp take 32 rows, so that what they read from A
// at the same time lies k floats apart: 32 sectors of 32 bytes, fetched for 4 bytes each. The store
// to C is as bad.
__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;  // the last blocks reach past C

  float sum = 0;
  for (int depth = 0; depth < k; ++depth) sum += a[row * k + depth] * b[depth * n + column];
  c[row * n + column] = sum;
}
