//@ idea: fetches the next channel while others still read this one
//@ caught: race
//@ let: halo_h = 7 * stride + (r - 1) * dilation + 1
//@ let: halo_w = 31 * stride + (s - 1) * dilation + 1
//@ only: halo_h * halo_w <= 12288
//@ shared: 4 * halo_h * halo_w
//@ block: 32, 8
//@ grid: n * k, ceil_div(p, 8), ceil_div(q, 32)

__global__ void convolution(const float* x, const float* weights, const float* bias, float* y,
                            int n, int c, int h, int w, int k, int r, int s, int p, int q,
                            int stride, int pad, int dilation) {
  extern __shared__ float halo[];
  const int halo_h = (8 - 1) * stride + (r - 1) * dilation + 1;
  const int halo_w = (32 - 1) * stride + (s - 1) * dilation + 1;
  const int image = blockIdx.x / k, filter = blockIdx.x % k;
  const int out_row = blockIdx.y * 8 + threadIdx.y;
  const int out_column = blockIdx.z * 32 + threadIdx.x;
  const int first_row = blockIdx.y * 8 * stride - pad;
  const int first_column = blockIdx.z * 32 * stride - pad;

  float sum = 0;
  for (int channel = 0; channel < c; ++channel) {
    const float* plane = x + (image * c + channel) * h * w;
    for (int i = threadIdx.y; i < halo_h; i += 8) {
      const int row = first_row + i;
      for (int j = threadIdx.x; j < halo_w; j += 32) {
        const int column = first_column + j;
        const bool inside = row >= 0 && row < h && column >= 0 && column < w;
        halo[i * halo_w + j] = inside ? plane[row * w + column] : 0;
      }
    }
    __syncthreads();

    const float* taps = weights + (filter * c + channel) * r * s;
    for (int tap_row = 0; tap_row < r; ++tap_row) {
      const float* row = halo + (threadIdx.y * stride + tap_row * dilation) * halo_w;
      for (int tap_column = 0; tap_column < s; ++tap_column) {
        sum += row[threadIdx.x * stride + tap_column * dilation] * taps[tap_row * s + tap_column];
      }
    }
  }
  if (out_row < p && out_column < q) {
    y[((image * k + filter) * p + out_row) * q + out_column] = sum + bias[filter];
  }
}
