// A function for each size of a window; winners are stored negative, and blocks go backwards.
template <int Window>
__device__ int first_largest(const float* x, int corner, int w) {
  int best = corner;
#pragma unroll
  for (int k = 1; k < Window * Window; ++k) {
    int at = corner + k / Window * w + k % Window;
    best = x[best] < x[at] ? at : best;
  }
  return best;
}

__global__ void find(const float* x, int* winner, int w,
                     int window, int stride, int p, int q) {
  int out = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  if (out >= p * q) return;
  int corner = (out / q * w + out % q) * stride, best = corner;
  switch (window) {
    case 2: best = first_largest<2>(x, corner, w); break;
    case 3: best = first_largest<3>(x, corner, w); break;
  }
  winner[out] = -1 - best;
}

__global__ void gather(const int* winner, const float* dy,
                       float* dx, int h, int w, int window,
                       int stride, int p, int q) {
  int pixel = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  if (pixel >= h * w) return;
  int row = pixel / w, column = pixel % w;
  float sum = 0;
  int i = row / stride;
  while (i >= p) --i;
  for (; i >= 0 && row - i * stride < window; --i) {
    int j = column / stride;
    while (j >= q) --j;
    for (; j >= 0 && column - j * stride < window; --j)
      sum += winner[i * q + j] == -1 - pixel ? dy[i * q + j] : 0;
  }
  dx[pixel] = sum;
}
