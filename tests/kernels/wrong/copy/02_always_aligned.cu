//@ idea: takes every address for a multiple of 16
//@ caught: bounds
//@ block: 256
//@ grid: ceil_div(n, 4 * block)

__global__ void copy(const float* x, float* out, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    *reinterpret_cast<float4*>(out + i) = *reinterpret_cast<const float4*>(x + i);
  } else {
    for (int j = i; j < n; ++j) out[j] = x[j];
  }
}
