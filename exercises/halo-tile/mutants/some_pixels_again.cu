__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  __shared__ float tile[12][36];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 432; k += 256) {
    int r = k / 36, c = k % 36;
    int gy = blockIdx.y * 8 + r - 2, gx = blockIdx.x * 32 + c - 2;
    bool in = gy >= 0 && gy < height && gx >= 0 && gx < width;
    tile[r][c] = in ? image[gy * width + gx] : 0.f;
  }
  __syncthreads();
  if (x < width && y < height) {
    float s = 0;
    for (int u = 0; u < 5; ++u)
      for (int v = 0; v < 5; ++v) s += taps[u][v] * (u == 2 && v == 2 && threadIdx.y == 0 && threadIdx.x < 24 ? *(const volatile float*)(image + y * width + x) : tile[threadIdx.y + u][threadIdx.x + v]);
    out[y * width + x] = s;
  }
}
