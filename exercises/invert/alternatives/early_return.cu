// Leaves at once where there is no pixel, goes by pointers, and flips all bits: 255 - v is ~v in eight of them.
__global__ void invert(const unsigned char* image, unsigned char* out, int width, int height) {
  const unsigned column = threadIdx.x + blockDim.x * blockIdx.x;
  if (column >= width) return;
  const unsigned row = threadIdx.y + blockDim.y * blockIdx.y;
  if (row >= height) return;
  const size_t offset = size_t(row) * width + column;
  *(out + offset) = ~*(image + offset);
}
