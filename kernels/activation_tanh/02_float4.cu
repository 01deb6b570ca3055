//@ idea: four neighbours a thread, in one access of 16 bytes each way
//@ block: 256
//@ grid: ceil_div(n, 4 * block)
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 20 * n

// y = tanh(x)      x, y: [n]
//
// The bytes are the same; the instructions that fetch and store them are a quarter, and each thread
// has 16 bytes on the way instead of 4: the memory stays busy with fewer threads. An access of 16
// bytes needs an address that is a multiple of 16: where x or y starts elsewhere, or fewer than
// four are left, the elements go one by one.

// tanhf, within 2 ulp. The textbook's (e^x - e^-x) / (e^x + e^-x) gives inf / inf from x = 89 on,
// and near 0 it subtracts two numbers that are nearly 1; the library's takes another way at either
// end.
__device__ float hyperbolic_tangent(float x) { return tanhf(x); }

__global__ void activation_tanh(const float* x, float* y, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const bool is_aligned = (reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y)) % 16 == 0;
  if (is_aligned && first + 4 <= n) {
    const float4 four = *reinterpret_cast<const float4*>(x + first);
    *reinterpret_cast<float4*>(y + first) =
        make_float4(hyperbolic_tangent(four.x), hyperbolic_tangent(four.y),
                    hyperbolic_tangent(four.z), hyperbolic_tangent(four.w));
  } else {
    for (int i = first; i < min(first + 4, n); ++i) y[i] = hyperbolic_tangent(x[i]);
  }
}
