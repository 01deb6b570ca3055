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

// x P(x), P the normal distribution: the exact form, not the one with tanh. normcdff rather than (1
// + erff(x / sqrt 2)) / 2, which left of 0 would subtract two numbers that are nearly 1. Left of
// -15 the result is 0 in any float; stopping there keeps minus infinity from being multiplied by 0.
__device__ float gelu(float x) {
  const float bounded = x < -15 ? -15 : x;
  return bounded * normcdff(bounded);
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
