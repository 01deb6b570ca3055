//@ idea: the halo is as wide as it would be without stride and dilation, so that its rows run on into each other
//@ caught: values
//@ defines: TILE_P=8, TILE_Q=32
//@ let: halo_h = (TILE_P - 1) * stride + (r - 1) * dilation + 1
//@ let: halo_w = (TILE_Q - 1) * stride + (s - 1) * dilation + 1
//@ only: halo_h * halo_w <= 12288, p > 0, q > 32
//@ block: TILE_Q, TILE_P
//@ grid: n * k, ceil_div(p, TILE_P), ceil_div(q, TILE_Q)
//@ shared: 4 * halo_h * halo_w

#ifndef TILE_P
#define TILE_P 8
#endif
#ifndef TILE_Q
#define TILE_Q 32
#endif

__global__ void convolution(const float* x, const float* weights, const float* bias, float* y,
                            int n, int c, int h, int w, int k, int r, int s, int p, int q,
                            int stride, int pad, int dilation) {
  extern __shared__ float halo[];  // [halo_h][halo_w]
  const int halo_h = (TILE_P - 1) * stride + (r - 1) * dilation + 1;
  const int halo_w = TILE_Q + s - 1;
  const int image = blockIdx.x / k, filter = blockIdx.x % k;
  const int out_row = blockIdx.y * TILE_P + threadIdx.y;
  const int out_column = blockIdx.z * TILE_Q + threadIdx.x;
  const int first_row = blockIdx.y * TILE_P * stride - pad;  // of the halo, in the image
  const int first_column = blockIdx.z * TILE_Q * stride - pad;

  float sum = 0;
  for (int channel = 0; channel < c; ++channel) {
    const float* plane = x + (image * c + channel) * h * w;
    for (int i = threadIdx.y; i < halo_h; i += TILE_P) {
      const int row = first_row + i;
      for (int j = threadIdx.x; j < halo_w; j += TILE_Q) {
        const int column = first_column + j;
        const bool inside = row >= 0 && row < h && column >= 0 && column < w;
        halo[i * halo_w + j] = inside ? plane[row * w + column] : 0;
      }
    }
    __syncthreads();  // the halo is whole before anyone reads it

    const float* taps = weights + (filter * c + channel) * r * s;
    for (int tap_row = 0; tap_row < r; ++tap_row) {
      const float* row = halo + (threadIdx.y * stride + tap_row * dilation) * halo_w;
      for (int tap_column = 0; tap_column < s; ++tap_column) {
        sum += row[threadIdx.x * stride + tap_column * dilation] * taps[tap_row * s + tap_column];
      }
    }
    __syncthreads();  // everyone has read before the next channel overwrites it
  }
  if (out_row < p && out_column < q) {
    y[((image * k + filter) * p + out_row) * q + out_column] = sum + bias[filter];
  }
}
