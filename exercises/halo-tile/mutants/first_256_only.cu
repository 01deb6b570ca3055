__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  __shared__ float tile[12][36];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int t = threadIdx.y * 32 + threadIdx.x;
  int column = blockIdx.x * 32 - 2 + t % 36;
  int row = blockIdx.y * 8 - 2 + t / 36;
  bool inside = 0 <= row && row < height &&
                0 <= column && column < width;
  tile[t / 36][t % 36] = inside ? image[row * width + column] : 0;
  __syncthreads();
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int u = 0; u < 5; ++u) {
    for (int v = 0; v < 5; ++v)
      sum += taps[u][v] * tile[threadIdx.y + u][threadIdx.x + v];
  }
  out[y * width + x] = sum;
}
