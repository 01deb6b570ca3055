// columns[tap][out]: the pixel that weight `tap` meets in the
//   window of output `out`, or 0 outside the image
//   tap = (channel * r + tap_row) * s + tap_column
//   out = out_row * q + out_column
// x: [c][h][w], columns: [c * r * s][p * q]
// im2col<<<dim3(blocks, c * r * s), 128>>>(...), and then the
// book's own multiply(weights, columns, bias, y, ...).
__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  int tap = blockIdx.y;
  // which pixel is it, and is it there?
}
