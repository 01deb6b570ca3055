// Max-pooling's backward pass, by two launches:
//   find<<<..., 128>>>(x, winner, ...);      a thread an output
//   gather<<<..., 128>>>(winner, dy, dx, ...); a thread a pixel
// x, dx: [h][w]; winner, dy: [p][q]. The window of output
// (i, j) has its corner at pixel (i * stride, j * stride).
__global__ void find(const float* x, int* winner, int w,
                     int window, int stride, int p, int q) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  // which pixel is the largest? of equal ones the first
}

__global__ void gather(const int* winner, const float* dy,
                       float* dx, int h, int w, int window,
                       int stride, int p, int q) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  // add up the dy of all windows that this pixel won
}
