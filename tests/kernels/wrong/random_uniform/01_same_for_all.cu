//@ idea: every thread scrambles the same counter
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void random_uniform(float* out, int n, unsigned seed, unsigned stream, float low,
                               float high) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = low + high * ((seed * 0xd2511f53u ^ stream) >> 8) * 0x1p-24f;
}
