//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 20 * n

// y = 1 / (1 + exp(-x))      x, y: [n]
//
// An exponential and a division, about 20
// instructions an element: still less than a GPU
// can do while it moves 8 bytes.

// 1 / (1 + exp(-x)). Left of 0 that would be
// 1 / (1 + something huge), which is 0 long
// before the result is; so the exponential is
// taken of -|x|, which never overflows, and the
// fraction is extended by it where x is negative.
__device__ float sigmoid(float x) {
  const float e = expf(-fabsf(x));
  return (x < 0 ? e : 1) / (1 + e);
}

__global__ void activation_sigmoid(
    const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sigmoid(x[i]);
}
