constexpr int TILE = 16;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int d = 0; d < k; ++d)
    sum += a[row * k + d] * b[d * n + column];
  c[row * n + column] = sum;
}
