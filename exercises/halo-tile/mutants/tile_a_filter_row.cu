__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out, int width, int height) {
  __shared__ float tile[8][36];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int left = blockIdx.x * 32 - 2;
  float sum = 0;
  for (int v = 0; v < 5; ++v) {
    int row = y + v - 2;
    __syncwarp();
    for (int j = threadIdx.x; j < 36; j += 32) {
      int u = left + j;
      bool inside = 0 <= u && u < width && 0 <= row && row < height;
      tile[threadIdx.y][j] = inside ? image[row * width + u] : 0;
    }
    __syncwarp();
    for (int u = 0; u < 5; ++u) sum += taps[v][u] * tile[threadIdx.y][threadIdx.x + u];
  }
  __syncthreads();
  if (x < width && y < height) out[y * width + x] = sum;
}
