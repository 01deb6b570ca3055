// The winner as a row and a column in one number; windows are asked column by column, times 0 or 1.
__global__ void find(const float* x, int* winner, int w,
                     int window, int stride, int p, int q) {
  for (int out = blockIdx.x * blockDim.x + threadIdx.x; out < p * q;
       out += gridDim.x * blockDim.x) {
    const int top = out / q * stride, left = out % q * stride;
    float largest = -INFINITY;
    unsigned best = unsigned(top) << 16 | left;
    for (int row = top; row < top + window; ++row) {
      for (int column = left; column < left + window; ++column) {
        const float value = x[row * w + column];
        if (value > largest) {
          largest = value;
          best = unsigned(row) << 16 | column;
        }
      }
    }
    winner[out] = best;
  }
}

__global__ void gather(const int* winner, const float* dy,
                       float* dx, int h, int w, int window,
                       int stride, int p, int q) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= h * w) return;
  const int row = pixel / w, column = pixel % w;
  const int first_i = max(0, (row - window + stride) / stride);
  const int first_j = max(0, (column - window + stride) / stride);
  const int last_i = min(p - 1, row / stride), last_j = min(q - 1, column / stride);
  double sum = 0;
  for (int j = first_j; j <= last_j; ++j) {
    for (int i = first_i; i <= last_i; ++i) {
      const bool mine = winner[i * q + j] == (row << 16 | column);
      sum += mine * double(dy[i * q + j]);
    }
  }
  dx[pixel] = float(sum);
}
