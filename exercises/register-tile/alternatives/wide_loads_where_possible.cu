__device__ float4 get4(const float* from, int rows, int columns, int r, int c) {
  float4 v = make_float4(0, 0, 0, 0);
  if (r >= rows) return v;
  const float* p = from + (long long)r * columns + c;
  if (columns % 4 == 0) { if (c < columns) v = *(const float4*)p; return v; }
  if (c < columns) v.x = p[0];
  if (c + 1 < columns) v.y = p[1];
  if (c + 2 < columns) v.z = p[2];
  if (c + 3 < columns) v.w = p[3];
  return v;
}
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[16][65];
  __shared__ __align__(16) float tb[16][64];
  int t = threadIdx.x, top = blockIdx.y * 64, left = blockIdx.x * 64;
  int row = t / 16 * 4, column = t % 16 * 4;
  float sum[4][4] = {};
  for (int first = 0; first < k; first += 16) {
    float4 u = get4(a, m, k, top + t / 4, first + t % 4 * 4);
    ta[t % 4 * 4][t / 4] = u.x; ta[t % 4 * 4 + 1][t / 4] = u.y; ta[t % 4 * 4 + 2][t / 4] = u.z; ta[t % 4 * 4 + 3][t / 4] = u.w;
    *(float4*)&tb[t / 16][t % 16 * 4] = get4(b, k, n, first + t / 16, left + t % 16 * 4);
    __syncthreads();
    for (int d = 0; d < 16; ++d) {
      float fa[4], fb[4];
      for (int i = 0; i < 4; ++i) { fa[i] = ta[d][row + i]; fb[i] = tb[d][column + i]; }
      for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) sum[i][j] += fa[i] * fb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j)
    if (top + row + i < m && left + column + j < n) c[(top + row + i) * n + left + column + j] = sum[i][j];
}
