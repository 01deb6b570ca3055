//@ idea: the weights lie in constant memory, so that a word of x serves several filters at no further load
//@ defines: TILE_P=8, TILE_Q=32, FILTERS=4
//@ let: halo_h = (TILE_P - 1) * stride + (r - 1) * dilation + 1
//@ let: halo_w = (TILE_Q - 1) * stride + (s - 1) * dilation + 1
//@ only: halo_h * halo_w <= 12288, k * c * r * s <= 16384
//@ constant: taps = weights
//@ block: TILE_Q, TILE_P
//@ grid: n * ceil_div(k, FILTERS), ceil_div(p, TILE_P), ceil_div(q, TILE_Q)
//@ shared: 4 * halo_h * halo_w
//@ registers: 64
//@ bytes: 4 * (n * c * h * w + k * c * r * s + n * k * p * q)
//@ flops: 2 * n * k * p * q * c * r * s

// y = x * weights + bias      x: [n][c][h][w], weights: [k][c][r][s], bias: [k], y: [n][k][p][q]
//
// All threads of a warp want the same weight at the same time. Constant memory is made for that:
// one word is sent to 32 lanes, and a multiply-add may name it as an operand, with no load before
// it. So a thread makes FILTERS outputs, of as many filters: for each word of x from the halo it
// does FILTERS multiply-adds, where the rung before loaded two words for one.
//
// The host copies the weights into `taps` before the launch (cudaMemcpyToSymbol). Constant memory
// holds 64 KB: 16,384 weights. That is the end of this idea for all but a network's first layers.
#ifndef TILE_P
#define TILE_P 8  // rows of outputs a block
#endif
#ifndef TILE_Q
#define TILE_Q 32  // columns of outputs a block
#endif
#ifndef FILTERS
#define FILTERS 4  // filters a block
#endif

__constant__ float taps[16384];  // [k][c][r][s]

__global__ void convolution(const float* x, const float* weights, const float* bias, float* y,
                            int n, int c, int h, int w, int k, int r, int s, int p, int q,
                            int stride, int pad, int dilation) {
  extern __shared__ float halo[];  // [halo_h][halo_w]
  const int halo_h = (TILE_P - 1) * stride + (r - 1) * dilation + 1;
  const int halo_w = (TILE_Q - 1) * stride + (s - 1) * dilation + 1;
  const int groups = (k + FILTERS - 1) / FILTERS;
  const int image = blockIdx.x / groups, first_filter = blockIdx.x % groups * FILTERS;
  const int out_row = blockIdx.y * TILE_P + threadIdx.y;
  const int out_column = blockIdx.z * TILE_Q + threadIdx.x;
  const int first_row = blockIdx.y * TILE_P * stride - pad;  // of the halo, in the image
  const int first_column = blockIdx.z * TILE_Q * stride - pad;

  float sum[FILTERS] = {};
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

    for (int tap_row = 0; tap_row < r; ++tap_row) {
      const float* row = halo + (threadIdx.y * stride + tap_row * dilation) * halo_w;
      for (int tap_column = 0; tap_column < s; ++tap_column) {
        const float word = row[threadIdx.x * stride + tap_column * dilation];
#pragma unroll
        for (int i = 0; i < FILTERS; ++i) {
          // The last group may lack filters; it computes the last one again and stores it once.
          const int filter = min(first_filter + i, k - 1);
          sum[i] += word * taps[((filter * c + channel) * r + tap_row) * s + tap_column];
        }
      }
    }
    __syncthreads();  // everyone has read before the next channel overwrites it
  }
  if (out_row >= p || out_column >= q) return;
#pragma unroll
  for (int i = 0; i < FILTERS; ++i) {
    const int filter = first_filter + i;
    if (filter < k)
      y[((image * k + filter) * p + out_row) * q + out_column] = sum[i] + bias[filter];
  }
}
