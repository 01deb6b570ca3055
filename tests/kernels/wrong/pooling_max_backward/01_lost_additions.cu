//@ idea: adds to the winner without atomics
//@ caught: race
//@ zero: dx
//@ depth: r * s
//@ block: 256
//@ grid: ceil_div(p * q, block), planes

__global__ void pooling_max_backward(const float* dy, const int* tap, float* dx, int planes, int h,
                                     int w, int r, int s, int p, int q, int stride, int pad) {
  const int output = blockIdx.x * blockDim.x + threadIdx.x, plane = blockIdx.y;
  if (output >= p * q) return;
  const int winner = tap[plane * p * q + output];
  const int row = output / q * stride - pad + winner / s,
            column = output % q * stride - pad + winner % s;
  if (winner >= 0 && row >= 0 && row < h && column >= 0 && column < w)
    dx[(plane * h + row) * w + column] += dy[plane * p * q + output];
}
