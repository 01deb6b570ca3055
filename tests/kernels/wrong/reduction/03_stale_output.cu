//@ idea: adds to an output that nobody set to 0
//@ caught: uninitialised
//@ block: 256
//@ grid: ceil_div(n, block)
//@ atomics: f32
//@ depth: n

__global__ void sum(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}
