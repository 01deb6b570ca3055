// Two barriers: the tile is cleared, then what lies inside the image is put into it.
__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out, int width, int height) {
  __shared__ float tile[12][40];
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 12 * 40; k += 256) tile[0][k] = 0;
  __syncthreads();
  int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
  int last_column = min(36, width - left), last_row = min(12, height - top);
  for (int i = max(0, -top) + threadIdx.y; i < last_row; i += 8)
    for (int j = max(0, -left) + threadIdx.x; j < last_column; j += 32)
      tile[i][j] = image[(top + i) * width + left + j];
  __syncthreads();
  int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
#pragma unroll
  for (int u = 0; u < 5; ++u)
#pragma unroll
    for (int v = 0; v < 5; ++v) sum += tile[threadIdx.y + v][threadIdx.x + u] * taps[v][u];
  out[y * width + x] = sum;
}
