// What can be seen of the picture is a rectangle of out, worked out first.
__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  const int first_x = max(0, -left), end_x = min(columns, width - left);
  const int first_y = max(0, -top), end_y = min(rows, height - top);
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  unsigned char* to = out + y * columns + x;
  if (x < first_x || x >= end_x || y < first_y || y >= end_y) {
    *to = 0;
  } else {
    *to = image[(top + y) * pitch + (left + x)];
  }
}
