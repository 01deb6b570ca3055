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
  // fill the tile with the block's pixels and their halo,
  // wait for the others, sum up from the tile
}
