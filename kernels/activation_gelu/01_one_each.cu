//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 40 * n

// y = x P(x), P the normal distribution      x, y: [n]
//
// erfc takes an exponential and two polynomials, about 40 instructions an element: on most GPUs
// just under what they can do while they move 8 bytes.

// x P(x), where P(x) = erfc(-x / sqrt 2) / 2 is the normal distribution: the exact form, not the
// one with tanh. erfc rather than 1 + erf, which left of 0 would subtract two numbers that are
// nearly 1. Left of -15 the result is 0 in any float; stopping there keeps minus infinity from
// being multiplied by 0.
__device__ float gelu(float x) {
  const float bounded = x < -15 ? -15 : x;
  return 0.5f * bounded * erfcf(-0.70710678f * bounded);
}

__global__ void activation_gelu(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = gelu(x[i]);
}
