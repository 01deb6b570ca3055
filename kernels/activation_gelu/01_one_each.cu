//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 50 * n

// y = x P(x), P the normal distribution      x, y: [n]
//
// The normal distribution takes an exponential and two polynomials, about 50 instructions an
// element: on most GPUs just under what they can do while they move 8 bytes.

// x P(x), P the normal distribution: the exact form, not the one with tanh. normcdff rather than (1
// + erff(x / sqrt 2)) / 2, which left of 0 would subtract two numbers that are nearly 1. Left of
// -15 the result is 0 in any float; stopping there keeps minus infinity from being multiplied by 0.
__device__ float gelu(float x) {
  const float bounded = x < -15 ? -15 : x;
  return bounded * normcdff(bounded);
}

__global__ void activation_gelu(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = gelu(x[i]);
}
