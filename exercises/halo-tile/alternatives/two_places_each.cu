__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  __shared__ float tile[432];
  int thread = threadIdx.y * 32 + threadIdx.x;
  if (thread < 216) {
    for (int place = thread; place < 432; place += 216) {
      int row = blockIdx.y * 8 + place / 36 - 2;
      int column = blockIdx.x * 32 + place % 36 - 2;
      bool inside = row >= 0 && row < height && column >= 0 &&
                    column < width;
      tile[place] = inside ? image[row * width + column] : 0;
    }
  }
  __syncthreads();
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int u = 0; u < 5; ++u)
    for (int v = 0; v < 5; ++v)
      sum += taps[u][v] *
             tile[(threadIdx.y + u) * 36 + threadIdx.x + v];
  out[y * width + x] = sum;
}
