//@ idea: a block keeps its piece of the image, with the rim that its windows reach into, in shared memory
//@ defines: TILE_P=8, TILE_Q=32
//@ let: halo_h = (TILE_P - 1) * stride + (r - 1) * dilation + 1
//@ let: halo_w = (TILE_Q - 1) * stride + (s - 1) * dilation + 1
//@ only: halo_h * halo_w <= 12288
//@ block: TILE_Q, TILE_P
//@ grid: n * k, ceil_div(p, TILE_P), ceil_div(q, TILE_Q)
//@ shared: 4 * halo_h * halo_w
//@ registers: 64
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s

// y = x * weights + bias      x: [n][c][h][w], weights: [k][c][r][s], bias: [k], y: [n][k][p][q]
//
// The windows of a tile of TILE_P x TILE_Q outputs cover a rectangle of x: the tile, and a rim as
// wide as the windows reach, the halo. The block fetches it once a channel and walks the windows in
// shared memory. A 3 x 3 filter over a tile of 8 x 32 fetches 10 x 34 words instead of 9 x 8 x 32:
// 1.3 loads an output and channel instead of 9. What lies outside the image becomes a 0 in the
// tile, so that the inner loop asks no questions.
//
// Large strides leave gaps between the windows, and the rectangle grows with the stride's square:
// it must fit the 48 KB of shared memory that every block may have.
#ifndef TILE_P
#define TILE_P 8  // rows of outputs a block
#endif
#ifndef TILE_Q
#define TILE_Q 32  // columns of outputs a block: a warp, so that its loads lie side by side
#endif

__global__ void convolution(const float* x, const float* weights, const float* bias, float* y,
                            int n, int c, int h, int w, int k, int r, int s, int p, int q,
                            int stride, int pad, int dilation) {
  extern __shared__ float halo[];  // [halo_h][halo_w]
  const int halo_h = (TILE_P - 1) * stride + (r - 1) * dilation + 1;
  const int halo_w = (TILE_Q - 1) * stride + (s - 1) * dilation + 1;
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
