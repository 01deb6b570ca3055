// The thread's number in the whole grid is the number of its pixel; the last blocks have none.
__global__ void nine(cudaTextureObject_t image, float* out, int width, int height) {
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int i = block * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  int x = i % width, y = i / width;
  float sum = 0;
  for (int v = -1; v <= 1; ++v) {
    for (int u = -1; u <= 1; ++u) sum += tex2D<float>(image, x + u + 0.5f, y + v + 0.5f);
  }
  out[i] = sum;
}
