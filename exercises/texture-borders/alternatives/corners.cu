// A pixel is the same at its corner as in its middle.
__global__ void nine(cudaTextureObject_t image, float* out,
                     int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float above = tex2D<float>(image, x - 1, y - 1) + tex2D<float>(image, x, y - 1) +
                  tex2D<float>(image, x + 1, y - 1);
    float here = tex2D<float>(image, x - 1, y) + tex2D<float>(image, x, y) +
                 tex2D<float>(image, x + 1, y);
    float below = tex2D<float>(image, x - 1, y + 1) + tex2D<float>(image, x, y + 1) +
                  tex2D<float>(image, x + 1, y + 1);
    out[y * width + x] = above + here + below;
  }
}
