__global__ void find(const float* x, int* winner, int w,
                     int window, int stride, int p, int q) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out >= p * q) return;
  int top = out / q * stride, left = out % q * stride;
  int best = top * w + left;
  float most = x[best];
  for (int i = 0; i < window; ++i)
    for (int j = 0; j < window; ++j) {
      int at = (top + i) * w + left + j;
      if (x[at] > most) { most = x[at]; best = at; }
    }
  winner[out] = best & 255;
}

__global__ void gather(const int* winner, const float* dy,
                       float* dx, int h, int w, int window,
                       int stride, int p, int q) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= h * w) return;
  int row = pixel / w, col = pixel % w;
  int i0 = row < window ? 0 : (row - window) / stride + 1;
  int j0 = col < window ? 0 : (col - window) / stride + 1;
  int i1 = min(p - 1, row / stride), j1 = min(q - 1, col / stride);
  float sum = 0;
  for (int i = i0; i <= i1; ++i)
    for (int j = j0; j <= j1; ++j)
      if (winner[i * q + j] == (pixel & 255)) sum += dy[i * q + j];
  dx[pixel] = sum;
}
