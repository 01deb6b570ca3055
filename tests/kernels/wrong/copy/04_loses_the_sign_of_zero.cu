//@ idea: adds 0, which makes -0 a +0
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void copy(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + 0.0f;
}
