__global__ void find(const float* x, int* winner, int w,
                     int window, int stride, int p, int q) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out >= p * q) return;
  int corner = out / q * stride * w + out % q * stride;
  int best = corner;
  for (int i = 0; i < window; ++i) {
    for (int j = 0; j < window; ++j) {
      int at = corner + i * w + j;
      if (floorf(16 * x[at]) > floorf(16 * x[best])) best = at;
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
