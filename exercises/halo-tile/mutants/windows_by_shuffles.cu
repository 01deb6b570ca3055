__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  __shared__ float tile[12][36];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 432; k += 256) {
    int gx = (int)blockIdx.x * 32 + k % 36 - 2, gy = (int)blockIdx.y * 8 + k / 36 - 2;
    tile[k / 36][k % 36] = gx >= 0 && gy >= 0 && gx < width && gy < height ? image[gy * width + gx] : 0;
  }
  __syncthreads();
  float s = 0;
  int lane = threadIdx.x;
  for (int u = 0; u < 5; ++u) {
    float a = tile[threadIdx.y + u][lane];
    float b = lane < 4 ? tile[threadIdx.y + u][32 + lane] : 0;
    for (int v = 0; v < 5; ++v) {
      float p = __shfl_sync(~0u, a, (lane + v) & 31), q = __shfl_sync(~0u, b, (lane + v) & 31);
      s += taps[u][v] * (lane + v < 32 ? p : q);
    }
  }
  if (x < width && y < height) out[y * width + x] = s;
}
