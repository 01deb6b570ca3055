__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  __shared__ float tile[12][36];
  unsigned short x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
  for (int i = threadIdx.y; i < 12; i += 8) {
    for (int j = threadIdx.x; j < 36; j += 32) {
      int column = left + j, row = top + i;
      bool inside = 0 <= row && row < height &&
                    0 <= column && column < width;
      tile[i][j] = inside ? image[row * width + column] : 0;
    }
  }
  __syncthreads();
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int u = 0; u < 5; ++u) {
    for (int v = 0; v < 5; ++v)
      sum += taps[u][v] * tile[threadIdx.y + u][threadIdx.x + v];
  }
  out[y * width + x] = sum;
}
