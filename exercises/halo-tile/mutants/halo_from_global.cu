__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  __shared__ float tile[8][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  bool mine = x < width && y < height;
  tile[threadIdx.y][threadIdx.x] = mine ? image[y * width + x] : 0;
  __syncthreads();
  if (!mine) return;
  float sum = 0;
  for (int u = 0; u < 5; ++u) {
    for (int v = 0; v < 5; ++v) {
      int i = int(threadIdx.y) + u - 2, j = int(threadIdx.x) + v - 2;
      int row = y + u - 2, column = x + v - 2;
      float pixel = 0;
      if (0 <= i && i < 8 && 0 <= j && j < 32)
        pixel = tile[i][j];
      else if (0 <= row && row < height && 0 <= column && column < width)
        pixel = image[row * width + column];
      sum += taps[u][v] * pixel;
    }
  }
  out[y * width + x] = sum;
}
