//@ idea: four neighbours a thread, in one access of 16 bytes each way
//@ block: 256
//@ grid: ceil_div(n, 4 * block)
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 1 * n

// y = max(x, 0)      x, y: [n]
//
// The bytes are the same; the instructions that fetch and store them are a quarter, and each thread
// has 16 bytes on the way instead of 4: the memory stays busy with fewer threads. An access of 16
// bytes needs an address that is a multiple of 16: where x or y starts elsewhere, or fewer than
// four are left, the elements go one by one.

// max(x, 0), written so that a NaN stays one.
__device__ float relu(float x) { return x < 0 ? 0 : x; }

__global__ void activation_relu(const float* x, float* y, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const bool is_aligned = (reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y)) % 16 == 0;
  if (is_aligned && first + 4 <= n) {
    const float4 four = *reinterpret_cast<const float4*>(x + first);
    *reinterpret_cast<float4*>(y + first) =
        make_float4(relu(four.x), relu(four.y), relu(four.z), relu(four.w));
  } else {
    for (int i = first; i < min(first + 4, n); ++i) y[i] = relu(x[i]);
  }
}
