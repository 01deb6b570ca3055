// The search goes backwards and lets a later find win; windows are asked in their own order.
__global__ void find(const float* x, int* winner, int w, int window, int stride, int p, int q) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out >= p * q) return;
  int top = out / q * stride, left = out % q * stride, best = 0;
  float largest = -INFINITY;
  for (int row = top + window - 1; row >= top; --row)
    for (int column = left + window - 1; column >= left; --column) {
      float here = x[row * w + column];
      best = here >= largest ? row * w + column : best;
      largest = fmaxf(here, largest);
    }
  winner[out] = best;
}

__device__ int first_window(int place, int window, int stride) {
  return place < window ? 0 : (place - window) / stride + 1;
}

__global__ void gather(const int* winner, const float* dy, float* dx, int h, int w, int window,
                       int stride, int p, int q) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= h * w) return;
  int row = pixel / w, column = pixel - row * w;
  float sum = 0;
  for (int i = first_window(row, window, stride); i < p && i * stride <= row; ++i)
    for (int j = first_window(column, window, stride); j < q && j * stride <= column; ++j)
      sum += winner[i * q + j] == pixel ? dy[i * q + j] : 0;
  dx[pixel] = sum;
}
