// The tile as one row of 432 pixels, shared out among the 256 threads.
__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out, int width, int height) {
  __shared__ float tile[12 * 36];
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 12 * 36; k += 256) {
    int u = blockIdx.x * 32 + k % 36 - 2, v = blockIdx.y * 8 + k / 36 - 2;
    tile[k] = 0;
    if (u >= 0 && u < width && v >= 0 && v < height) tile[k] = image[v * width + u];
  }
  __syncthreads();
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) {
    const float* corner = tile + threadIdx.y * 36 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 25; ++k) sum += corner[k / 5 * 36 + k % 5] * taps[k / 5][k % 5];
    out[y * width + x] = sum;
  }
}
