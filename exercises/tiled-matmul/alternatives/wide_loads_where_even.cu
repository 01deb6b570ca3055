__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ __align__(8) float t[2][16][16];
  int x = threadIdx.x, y = threadIdx.y, me = y * 16 + x;
  int top = blockIdx.y * 16, left = blockIdx.x * 16;
  int which = me / 128, r = me % 128 / 8, col = me % 8 * 2;
  const float* from = which ? b : a;
  int rows = which ? k : m, columns = which ? n : k;
  float sum = 0;
  for (int first = 0; first < k; first += 16) {
    int gr = r + (which ? first : top), gc = col + (which ? left : first);
    float2 v = make_float2(0, 0);
    if (gr < rows) {
      if (columns % 2 == 0) { if (gc < columns) v = *(const float2*)(from + gr * columns + gc); }
      else {
        if (gc < columns) v.x = from[gr * columns + gc];
        if (gc + 1 < columns) v.y = from[gr * columns + gc + 1];
      }
    }
    *(float2*)&t[which][r][col] = v;
    __syncthreads();
    for (int d = 0; d < 16; ++d) sum += t[0][y][d] * t[1][d][x];
    __syncthreads();
  }
  if (top + y < m && left + x < n) c[(top + y) * n + left + x] = sum;
}
