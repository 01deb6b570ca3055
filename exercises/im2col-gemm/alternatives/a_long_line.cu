// All elements of the matrix in one line, shared out among all threads of the grid.
__global__ void im2col(const float* x, float* columns, int h, int w, int r, int s, int p, int q,
                       int stride, int pad) {
  int threads = gridDim.x * gridDim.y * blockDim.x, outs = p * q;
  int begin = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  for (int i = begin; i < int(gridDim.y) * outs; i += threads) {
    int tap = i / outs, out = i - tap * outs;
    int u = out % q * stride + tap % s - pad, v = out / q * stride + tap / s % r - pad;
    float pixel = 0;
    if (u >= 0 && u < w && v >= 0 && v < h) pixel = x[(tap / (r * s) * h + v) * w + u];
    columns[i] = pixel;
  }
}
