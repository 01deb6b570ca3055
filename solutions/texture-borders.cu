// out[y][x] = sum of the nine pixels round (x, y)
// image: a texture of width x height pixels; past an edge it
// gives the nearest pixel. out: [height][width]
__global__ void nine(cudaTextureObject_t image, float* out,
                     int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  // The kernel does not look for edges, because the host made
  // the texture with cudaAddressModeClamp. + 0.5f means the
  // middle of a pixel.
  for (int v = y - 1; v <= y + 1; ++v) {
    for (int u = x - 1; u <= x + 1; ++u)
      sum += tex2D<float>(image, u + 0.5f, v + 0.5f);
  }
  out[y * width + x] = sum;
}
