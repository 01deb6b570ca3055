//@ idea: lets the threads outside c go before they have fetched for the others
//@ caught: uninitialised
//@ block: 16, 16
//@ grid: ceil_div(n, 16), ceil_div(m, 16)

__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int tile_k = 0; tile_k < k; tile_k += 16) {
    const int depth_a = tile_k + threadIdx.x, depth_b = tile_k + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && depth_a < k ? a[row * k + depth_a] : 0;
    tile_b[threadIdx.y][threadIdx.x] = depth_b < k && column < n ? b[depth_b * n + column] : 0;
    __syncthreads();
    for (int depth = 0; depth < 16; ++depth)
      sum += tile_a[threadIdx.y][depth] * tile_b[depth][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
