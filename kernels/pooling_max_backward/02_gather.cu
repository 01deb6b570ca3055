//@ idea: one thread a word of x asks the windows that cover it whether it won
//@ block: 256
//@ grid: planes, ceil_div(h * w, block)
//@ registers: 40
//@ depth: ceil_div(r, stride) * ceil_div(s, stride)
//@ bytes: 4 * planes * (h * w + 2 * p * q)
//@ flops: planes * p * q

// dx = dy, where each window's winner stood      dy, tap: [planes][p][q]; dx: [planes][h][w]
//
// Seen from x there is nothing to fight over: the windows that cover a word are those whose corners
// lie up to r - 1 rows above it and s - 1 columns to its left, at most ceil(r / stride) x ceil(s /
// stride). The thread adds up, in a fixed order, what it won of them. No atomics, no clearing, the
// same bits in every run; each tap is read as often as windows overlap, from the caches.
__global__ void pooling_max_backward(const float* dy, const int* tap, float* dx, int planes, int h,
                                     int w, int r, int s, int p, int q, int stride, int pad) {
  const int pixel = blockIdx.y * blockDim.x + threadIdx.x, plane = blockIdx.x;
  if (pixel >= h * w) return;
  const int row = pixel / w + pad,
            column = pixel % w + pad;  // counted from the first window's corner

  // The last window that begins at or above this row, and back while windows reach down to it.
  float sum = 0;
  for (int out_row = min(row / stride, p - 1); out_row >= 0 && out_row * stride + r > row;
       --out_row) {
    for (int out_column = min(column / stride, q - 1);
         out_column >= 0 && out_column * stride + s > column; --out_column) {
      const int output = (plane * p + out_row) * q + out_column;
      const int own_tap = (row - out_row * stride) * s + (column - out_column * stride);
      if (tap[output] == own_tap) sum += dy[output];
    }
  }
  dx[plane * h * w + pixel] = sum;
}
