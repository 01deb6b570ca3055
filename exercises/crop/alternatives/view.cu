// Images that know their own rows, and what is outside of them.
template <class T>
struct View {
  T* pixels;
  int width, height, pitch;
  __device__ bool has(int x, int y) const {
    return min(x, y) >= 0 && x < width && y < height;
  }
  __device__ T& operator()(int x, int y) const { return pixels[y * pitch + x]; }
  __device__ T or_zero(int x, int y) const { return has(x, y) ? (*this)(x, y) : T(0); }
};

__global__ void crop(const unsigned char* image, int width, int height, int pitch,
                     unsigned char* out, int columns, int rows, int left, int top) {
  const View<const unsigned char> from{image, width, height, pitch};
  const View<unsigned char> to{out, columns, rows, columns};
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (to.has(x, y)) to(x, y) = from.or_zero(left + x, top + y);
}
