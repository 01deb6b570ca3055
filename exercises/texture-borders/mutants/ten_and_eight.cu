__global__ void nine(cudaTextureObject_t image, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int lin = threadIdx.y * blockDim.x + threadIdx.x;
  bool pair = blockDim.x % 2 == 0;     // then lanes 2k and 2k+1 are neighbours in a row
  float up = 0;
  if (!pair || !(lin & 1)) up = tex2D<float>(image, x + 0.5f, y - 0.5f);
  float other = __shfl_xor_sync(0xffffffffu, up, 1);
  if (x >= width || y >= height) return;
  bool odd = pair && (lin & 1);
  float sum;
  if (odd) sum = other + tex2D<float>(image, x + 0.5f, y - 0.5f);
  else { sum = up + tex2D<float>(image, x - 0.5f, y - 0.5f); if (pair) { float again = tex2D<float>(image, x + 1.5f, y + 1.5f); if (again == 1e30f) sum = 0; } }
  sum += tex2D<float>(image, x + 1.5f, y - 0.5f);
  for (int k = 3; k < 9; ++k) sum += tex2D<float>(image, x + k % 3 - 0.5f, y + k / 3 - 0.5f);
  out[y * width + x] = sum;
}
