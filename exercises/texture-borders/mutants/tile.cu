__global__ void nine(cudaTextureObject_t image,
                     float* out, int width, int height) {
  __shared__ float tile[3 * 1026];
  int columns = blockDim.x + 2, rows = blockDim.y + 2;
  float left = blockIdx.x * blockDim.x - 0.5f;
  float top = blockIdx.y * blockDim.y - 0.5f;
  for (int v = threadIdx.y; v < rows; v += blockDim.y) {
    for (int u = threadIdx.x; u < columns; u += blockDim.x)
      tile[v * columns + u] = tex2D<float>(image, left + u, top + v);
  }
  __syncthreads();
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int v = 0; v < 3; ++v) {
    for (int u = 0; u < 3; ++u)
      sum += tile[(threadIdx.y + v) * columns + threadIdx.x + u];
  }
  out[y * width + x] = sum;
}
