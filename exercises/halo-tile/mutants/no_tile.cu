__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int v = 0; v < 5; ++v) {
    for (int u = 0; u < 5; ++u) {
      int column = x + u - 2, row = y + v - 2;
      bool inside = 0 <= column && column < width && 0 <= row && row < height;
      sum += taps[v][u] * (inside ? image[row * width + column] : 0);
    }
  }
  out[y * width + x] = sum;
}
