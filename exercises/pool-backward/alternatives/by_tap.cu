// The winner as its number in the window; a pixel asks itself which tap of which window it is.
__global__ void find(const float* x, int* winner, int w, int window, int stride, int p, int q) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out < p * q) {
    const float* corner = x + out / q * stride * w + out % q * stride;
    float largest = corner[0];
    int first = 0;
    for (int tap = 1; tap < window * window; ++tap) {
      float here = corner[tap / window * w + tap % window];
      if (here > largest) {
        largest = here;
        first = tap;
      }
    }
    winner[out] = first;
  }
}

__global__ void gather(const int* winner, const float* dy, float* dx, int h, int w, int window,
                       int stride, int p, int q) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel < h * w) {
    float sum = 0;
    for (int tap = 0; tap < window * window; ++tap) {
      int top = pixel / w - tap / window, left = pixel % w - tap % window;
      if (top < 0 || left < 0 || top % stride != 0 || left % stride != 0) continue;
      int i = top / stride, j = left / stride;
      if (i < p && j < q && winner[i * q + j] == tap) sum += dy[i * q + j];
    }
    dx[pixel] = sum;
  }
}
