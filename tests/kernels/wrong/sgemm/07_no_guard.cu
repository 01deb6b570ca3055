//@ idea: no guard for the threads past the end
//@ caught: bounds
//@ block: 16, 16
//@ grid: ceil_div(n, 16), ceil_div(m, 16)

__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int depth = 0; depth < k; ++depth) sum += a[row * k + depth] * b[depth * n + column];
  c[row * n + column] = sum;
}
