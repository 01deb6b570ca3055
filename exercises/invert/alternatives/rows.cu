// A view of one row, and the thread's place as a value of its own.
struct Place {
  int x, y;
  __device__ Place()
      : x(blockIdx.x * blockDim.x + threadIdx.x), y(blockIdx.y * blockDim.y + threadIdx.y) {}
};

template <class T>
__device__ T* row(T* image, int y, int width) {
  return image + y * width;
}

__global__ void invert(const unsigned char* image, unsigned char* out, int width, int height) {
  const Place at;
  const bool inside = at.x < width && at.y < height;
  if (inside) row(out, at.y, width)[at.x] = 0xff ^ row(image, at.y, width)[at.x];
}
