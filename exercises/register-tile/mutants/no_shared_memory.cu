constexpr int SIDE = 64;
constexpr int OWN = 4;
constexpr int ROW = SIDE / OWN;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  int row = top + threadIdx.x / ROW * OWN;
  int column = left + threadIdx.x % ROW * OWN;
  float sum[OWN][OWN] = {};
  for (int d = 0; d < k; ++d) {
    float of_a[OWN], of_b[OWN];
    for (int i = 0; i < OWN; ++i)
      of_a[i] = row + i < m ? a[(row + i) * k + d] : 0;
    for (int j = 0; j < OWN; ++j)
      of_b[j] = column + j < n ? b[d * n + column + j] : 0;
    for (int i = 0; i < OWN; ++i)
      for (int j = 0; j < OWN; ++j)
        sum[i][j] += of_a[i] * of_b[j];
  }
  for (int i = 0; i < OWN; ++i)
    for (int j = 0; j < OWN; ++j)
      if (row + i < m && column + j < n)
        c[(row + i) * n + column + j] = sum[i][j];
}
