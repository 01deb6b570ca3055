// Places as floats from the start; columns before rows.
__global__ void nine(cudaTextureObject_t image, float* out,
                     int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x - 0.5f, v = y - 0.5f;
  float sum = 0;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) sum += tex2D<float>(image, u + column, v + row);
  }
  out[y * width + x] = sum;
}
