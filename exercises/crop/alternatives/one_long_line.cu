// All threads of the launch as one line, and out as another: the last blocks have none of it.
__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int i = block * blockDim.x * blockDim.y + thread;
  if (i >= columns * rows) return;
  unsigned x = left + i % columns, y = top + i / columns;  // what is negative becomes very large
  bool inside = x < unsigned(width) && y < unsigned(height);
  out[i] = inside ? image[y * pitch + x] : 0;
}
