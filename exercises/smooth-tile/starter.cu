// Block b smooths recording b, which has `length` samples:
//   out = (left neighbour + 2 * sample + right neighbour) / 4
// At either end the sample itself takes the place of the
// neighbour that it lacks.
// x and out: [gridDim.x][length]; length <= blockDim.x <= 256
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  // fill the tile, wait for the others, use the tile
}
