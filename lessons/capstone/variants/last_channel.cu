// Wrong on purpose: the last channel is left out.
//@ block: 256
//@ grid: ceil_div(p * q, block), k, n
//
// x: [n][c][h][w], n images of c channels
// weights: [k][c][r][s], k filters; bias: [k]
// y: [n][k][p][q]
__global__ void convolution(
    const float* x, const float* weights,
    const float* bias, float* y,
    int n, int c, int h, int w, int k, int r, int s,
    int p, int q, int stride, int pad, int dilation) {
  int place = blockIdx.x * blockDim.x + threadIdx.x;
  int filter = blockIdx.y, image = blockIdx.z;
  if (place >= p * q) return;
  int i = place / q, j = place % q;

  float sum = 0;
  for (int channel = 0; channel < c - 1; ++channel)
    for (int u = 0; u < r; ++u)
      for (int v = 0; v < s; ++v) {
        int row = i * stride - pad + u * dilation;
        int column = j * stride - pad + v * dilation;
        if (row < 0 || row >= h) continue;
        if (column < 0 || column >= w) continue;
        sum += x[((image * c + channel) * h + row)
                 * w + column]
               * weights[((filter * c + channel) * r
                          + u) * s + v];
      }
  y[((image * k + filter) * p + i) * q + j] =
      sum + bias[filter];
}
