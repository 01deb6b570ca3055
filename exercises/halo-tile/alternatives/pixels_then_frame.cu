// Each thread its own pixel first, then the 176 around them; the tile's rows are 40 long.
__constant__ float taps[5][5];

__device__ float pixel(const float* image, int width, int height, int row, int column) {
  if (row < 0 || row >= height || column < 0 || column >= width) return 0;
  return image[row * width + column];
}

__global__ void filter(const float* image, float* out, int width, int height) {
  __shared__ float tile[12][40];
  const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
  const int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
  tile[threadIdx.y + 2][threadIdx.x + 2] = pixel(image, width, height, y, x);
  const int t = threadIdx.y * 32 + threadIdx.x;
  if (t < 176) {
    int i, j;
    if (t < 144) {  // two rows above and two below
      i = t / 36 < 2 ? t / 36 : t / 36 + 8;
      j = t % 36;
    } else {  // two columns to the left and two to the right
      i = 2 + (t - 144) / 4;
      j = t % 4 < 2 ? t % 4 : t % 4 + 32;
    }
    tile[i][j] = pixel(image, width, height, top + i, left + j);
  }
  __syncthreads();
  float sum = 0;
  for (int v = 0; v < 5; ++v) {
    for (int u = 0; u < 5; ++u) sum += taps[u][v] * tile[threadIdx.y + u][threadIdx.x + v];
  }
  if (x < width && y < height) out[y * width + x] = sum;
}
