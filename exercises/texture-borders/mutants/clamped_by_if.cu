__global__ void nine(cudaTextureObject_t image, float* out,
                     int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int left = x - 1, right = x + 1, above = y - 1, below = y + 1;
  if (left < 0) left = 0;
  if (right == width) right = x;
  if (above < 0) above = 0;
  if (below == height) below = y;
  float sum = 0;
  int rows[3] = {above, y, below}, columns[3] = {left, x, right};
  for (int v = 0; v < 3; ++v) {
    for (int u = 0; u < 3; ++u)
      sum += tex2D<float>(image, columns[u] + 0.5f, rows[v] + 0.5f);
  }
  out[y * width + x] = sum;
}
