// Leaves at once where there is no pixel of out. A negative number is a very large one without its sign, so that one
// comparison asks about both edges.
__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  const unsigned x = threadIdx.x + blockDim.x * blockIdx.x;
  if (x >= columns) return;
  const unsigned y = threadIdx.y + blockDim.y * blockIdx.y;
  if (y >= rows) return;
  const unsigned u = x + left, v = y + top;
  out += size_t(y) * columns + x;
  if (u < width && v < height) {
    *out = *(image + size_t(v) * pitch + u);
  } else {
    *out = 0;
  }
}
