// As before, for depth pictures in a row.
// image, out: [depth][height][width]
__global__ void darken(
    const unsigned char* image, unsigned char* out,
    int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < width && y < height && z < depth) {
    int i = (z * height + y) * width + x;
    out[i] = image[i] / 2;
  }
}
