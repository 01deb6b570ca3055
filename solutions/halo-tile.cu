// out[y][x] = sum over u, v from 0 to 4 of
//   taps[u][v] * image[y + u - 2][x + v - 2],
// where a pixel outside the image counts as 0
// image, out: [height][width]; a block: 32 x 8 threads
__constant__ float taps[5][5];

__global__ void filter(const float* image, float* out,
                       int width, int height) {
  __shared__ float tile[12][36];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  // The 256 windows of 25 pixels cover only 12 x 36 pixels, so
  // the block loads each of these once. Row 0 of the tile is
  // two rows above the block's first pixel, and column 0 is two
  // columns to its left.
  int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
  for (int i = threadIdx.y; i < 12; i += 8) {
    for (int j = threadIdx.x; j < 36; j += 32) {
      int column = left + j, row = top + i;
      bool inside = 0 <= row && row < height &&
                    0 <= column && column < width;
      tile[i][j] = inside ? image[row * width + column] : 0;
    }
  }
  __syncthreads();  // other threads loaded most of my window
  // A thread without a pixel of its own may leave only now,
  // because it had to load its part of the halo.
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int u = 0; u < 5; ++u) {
    for (int v = 0; v < 5; ++v)
      sum += taps[u][v] * tile[threadIdx.y + u][threadIdx.x + v];
  }
  out[y * width + x] = sum;
}
