//@ idea: whole blocks only
//@ caught: values
//@ block: 256
//@ grid: n / block
//@ zero: out
//@ atomics: f32
//@ depth: n

__global__ void sum(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}
