__global__ void gradient_of_a(const float* dc, const float* b,
                              float* da, int m, int n, int k) {
  int i = blockIdx.y * 16 + threadIdx.y;
  int l = blockIdx.x * 16 + threadIdx.x;
  if (i >= m || l >= k) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += dc[i * n + j] * b[l * n + j];
  da[i * k + l] = sum;
}

__global__ void gradient_of_b(const float* a, const float* dc,
                              float* db, int m, int n, int k) {
  int l = blockIdx.y * 16 + threadIdx.y;
  int j = blockIdx.x * 16 + threadIdx.x;
  if (l >= k || j >= n) return;
  float sum = 0;
  for (int i = 0; i < m; ++i) sum += a[i * k + l] * dc[i * n + j];
  db[l * n + j] = sum;
}
