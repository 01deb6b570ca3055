__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out, int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.y != 0 || x >= width) return;
  float sum[8] = {};
  int top = blockIdx.y * 8;
#pragma unroll
  for (int i = 0; i < 12; ++i) {
    int row = top + i - 2;
#pragma unroll
    for (int u = 0; u < 5; ++u) {
      int column = x + u - 2;
      bool inside = 0 <= column && column < width && 0 <= row && row < height;
      float pixel = inside ? image[row * width + column] : 0;
#pragma unroll
      for (int v = 0; v < 5; ++v) {
        int k = i - v;
        if (0 <= k && k < 8) sum[k] += taps[v][u] * pixel;
      }
    }
  }
#pragma unroll
  for (int k = 0; k < 8; ++k)
    if (top + k < height) out[(top + k) * width + x] = sum[k];
}
