__global__ void nine(cudaTextureObject_t image,
                     float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char column = x;
  float sum = 0;
  for (int v = -1; v <= 1; ++v) {
    for (int u = -1; u <= 1; ++u)
      sum += tex2D<float>(image, column + u + 0.5f, y + v + 0.5f);
  }
  out[y * width + x] = sum;
}
