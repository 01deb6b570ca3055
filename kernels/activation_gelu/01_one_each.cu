//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 50 * n

// y = x P(x), P the normal distribution
// x, y: [n]
//
// The normal distribution takes an exponential
// and two polynomials, about 50 floating-point
// operations an element. With all that goes
// around them, that is more than some GPUs can
// issue while they move 8 bytes.

// x P(x), P the normal distribution: the exact
// form, not the one with tanh. Right of -1 that
// is (1 + erf(x / sqrt 2)) / 2. Further left it
// would subtract numbers that are nearly equal;
// there it is
// erfcx(-x / sqrt 2) exp(-x^2 / 2) / 2, and what
// rounding the square lost is put back. Left of
// -15 the result is 0 in any float; stopping there
// keeps minus infinity from being multiplied by 0.
__device__ float gelu(float x) {
  const float half = 0.5f * x;
  if (!(x < -1))
    return fmaf(half, erff(0.70710678f * x), half);
  const float b = fmaxf(x, -15), half_b = 0.5f * b;
  const float half_square = half_b * b;
  const float lost = fmaf(half_b, b, -half_square);
  const float power = expf(-half_square);
  const float scaled =
      half_b * erfcxf(-0.70710678f * b);
  const float corrected = -scaled * power * lost;
  return fmaf(scaled, power, corrected);
}

__global__ void activation_gelu(
    const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = gelu(x[i]);
}
