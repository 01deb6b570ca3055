__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  __shared__ float tile[12][36];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
  if (threadIdx.y == 0) {  // one of the block's eight warps
    for (int i = 0; i < 12; ++i) {
      for (int j = threadIdx.x; j < 36; j += 32) {
        int u = left + j, v = top + i;
        bool inside = 0 <= u && u < width && 0 <= v && v < height;
        tile[i][j] = inside ? image[v * width + u] : 0;
      }
    }
  }
  __syncthreads();
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int v = 0; v < 5; ++v) {
    for (int u = 0; u < 5; ++u)
      sum += taps[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
  }
  out[y * width + x] = sum;
}
