//@ idea: four neighbours a thread, in one access of 16 bytes each way
//@ block: 256
//@ grid: ceil_div(n, 4 * block)
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 20 * n

// y = 1 / (1 + exp(-x))      x, y: [n]
//
// The bytes are the same; the instructions that fetch and store them are a quarter, and each thread
// has 16 bytes on the way instead of 4: the memory stays busy with fewer threads. An access of 16
// bytes needs an address that is a multiple of 16: where x or y starts elsewhere, or fewer than
// four are left, the elements go one by one.

// 1 / (1 + exp(-x)). Left of 0 that would be 1 / (1 + something huge), which is 0 long before the
// result is; so the exponential is taken of -|x|, which never overflows, and the fraction is
// extended by it where x is negative.
__device__ float sigmoid(float x) {
  const float e = expf(-fabsf(x));
  return (x < 0 ? e : 1) / (1 + e);
}

__global__ void activation_sigmoid(const float* x, float* y, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const bool is_aligned = (reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y)) % 16 == 0;
  if (is_aligned && first + 4 <= n) {
    const float4 four = *reinterpret_cast<const float4*>(x + first);
    *reinterpret_cast<float4*>(y + first) =
        make_float4(sigmoid(four.x), sigmoid(four.y), sigmoid(four.z), sigmoid(four.w));
  } else {
    for (int i = first; i < min(first + 4, n); ++i) y[i] = sigmoid(x[i]);
  }
}
