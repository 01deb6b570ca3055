//@ idea: four neighbours a thread, in one access of 16 bytes each way
//@ block: 256
//@ grid: ceil_div(n, 4 * block)
//@ registers: 56
//@ bytes: 8 * n
//@ flops: 50 * n

// y = x P(x), P the normal distribution      x, y: [n]
//
// The bytes are the same; the instructions that fetch and store them are a quarter, and each thread
// has 16 bytes on the way instead of 4: the memory stays busy with fewer threads. An access of 16
// bytes needs an address that is a multiple of 16: where x or y starts elsewhere, or fewer than
// four are left, the elements go one by one.

// x P(x), P the normal distribution: the exact form, not the one with tanh. Right of -1 that is
// (1 + erf(x / sqrt 2)) / 2. Further left it would subtract numbers that are nearly equal; there it
// is erfcx(-x / sqrt 2) exp(-x^2 / 2) / 2, and what rounding the square lost is put back. Left of
// -15 the result is 0 in any float; stopping there keeps minus infinity from being multiplied by 0.
__device__ float gelu(float x) {
  if (!(x < -1)) return fmaf(0.5f * x, erff(0.70710678f * x), 0.5f * x);
  const float bounded = fmaxf(x, -15);
  const float half_square = 0.5f * bounded * bounded;
  const float lost = fmaf(0.5f * bounded, bounded, -half_square);
  const float power = expf(-half_square);
  const float scaled = 0.5f * bounded * erfcxf(-0.70710678f * bounded);
  return fmaf(scaled, power, -scaled * power * lost);
}

__global__ void activation_gelu(const float* x, float* y, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const bool is_aligned = (reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y)) % 16 == 0;
  if (is_aligned && first + 4 <= n) {
    const float4 four = *reinterpret_cast<const float4*>(x + first);
    *reinterpret_cast<float4*>(y + first) =
        make_float4(gelu(four.x), gelu(four.y), gelu(four.z), gelu(four.w));
  } else {
    for (int i = first; i < min(first + 4, n); ++i) y[i] = gelu(x[i]);
  }
}
