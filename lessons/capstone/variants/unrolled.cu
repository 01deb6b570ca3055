// Two filters per thread, of 3 x 3 only: the compiler
// knows the number of rounds, unrolls them, and issues
// several loads before it needs the first.
//@ block: 256
//@ grid: ceil_div(p * q, block), ceil_div(k, 2), n
//@ shared: 4 * 2 * c * r * s
//
// x: [n][c][h][w], n images of c channels
// weights: [k][c][r][s], k filters; bias: [k]
// y: [n][k][p][q]
__global__ void convolution(
    const float* x, const float* weights,
    const float* bias, float* y,
    int n, int c, int h, int w, int k, int r, int s,
    int p, int q, int stride, int pad, int dilation) {
  extern __shared__ float part[];  // [2][c][r][s]
  int taps = c * r * s;
  int first = blockIdx.y * 2, image = blockIdx.z;
  for (int t = threadIdx.x; t < 2 * taps;
       t += blockDim.x) {
    int weight = first * taps + t;
    part[t] = weight < k * taps ? weights[weight] : 0;
  }
  __syncthreads();  // all weights are there

  int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= p * q) return;
  int i = place / q, j = place % q;
  float sum[2] = {};
  int t = 0;
  for (int channel = 0; channel < c; ++channel)
    for (int u = 0; u < 3; ++u)
      for (int v = 0; v < 3; ++v, ++t) {
        int row = i * stride - pad + u * dilation;
        int column = j * stride - pad + v * dilation;
        bool inside = row >= 0 && row < h &&
                      column >= 0 && column < w;
        float pixel =
            inside ? x[((image * c + channel) * h
                        + row) * w + column] : 0;
        sum[0] += pixel * part[t];
        sum[1] += pixel * part[taps + t];
      }

  for (int f = 0; f < 2 && first + f < k; ++f)
    y[((image * k + first + f) * p + i) * q + j] =
        sum[f] + bias[first + f];
}
