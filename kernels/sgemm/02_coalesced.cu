//@ idea: neighbouring threads take neighbouring columns, so that a warp's accesses lie side by side
//@ block: 32, 8
//@ grid: ceil_div(n, 32), ceil_div(m, 8)
//@ needs: 75
//@ registers: 56
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k

// c = a b      a: [m][k], b: [k][n], c: [m][n], row-major
//
// The naive kernel with row and column exchanged; nothing else. All threads of a warp now have the
// same row: they read one word of A, which is sent to all of them, and 32 neighbours of B: 4 full
// sectors instead of 32 that were used to an eighth. A step of the loop takes 5 sectors a warp
// where it took 33.
//
// What is left: each word of A is still loaded n times, each of B m times, if from the caches
// mostly.
__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;  // x is what differs within a warp
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0;
  for (int depth = 0; depth < k; ++depth) sum += a[row * k + depth] * b[depth * n + column];
  c[row * n + column] = sum;
}
