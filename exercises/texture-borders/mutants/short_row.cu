__global__ void nine(cudaTextureObject_t image, float* out,
                     int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  short y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height || y < 0) return;
  float sum = 0;
  for (int v = y - 1; v <= y + 1; ++v) {
    for (int u = x - 1; u <= x + 1; ++u)
      sum += tex2D<float>(image, u + 0.5f, v + 0.5f);
  }
  out[y * width + x] = sum;
}
