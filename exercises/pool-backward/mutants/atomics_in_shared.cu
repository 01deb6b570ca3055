__global__ void find(const float* x, int* winner, int w,
                     int window, int stride, int p, int q) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out >= p * q) return;
  int corner = out / q * stride * w + out % q * stride;
  int best = corner;
  for (int i = 0; i < window; ++i) {
    for (int j = 0; j < window; ++j) {
      int at = corner + i * w + j;
      if (x[at] > x[best]) best = at;
    }
  }
  winner[out] = best;
}

__global__ void gather(const int* winner, const float* dy, float* dx, int h, int w, int window,
                       int stride, int p, int q) {
  __shared__ float sum[128];
  int first = blockIdx.x * blockDim.x, pixel = first + threadIdx.x;
  sum[threadIdx.x] = 0;
  __syncthreads();
  int top = max(0, (first / w - window) / stride - 1) * q;
  int bottom = min(p, (first + 127) / w / stride + 1) * q;
  for (int out = top + threadIdx.x; out < bottom; out += blockDim.x) {
    int mine = winner[out] - first;
    if (0 <= mine && mine < 128) atomicAdd(sum + mine, dy[out]);
  }
  __syncthreads();
  if (pixel < h * w) dx[pixel] = sum[threadIdx.x];
}
