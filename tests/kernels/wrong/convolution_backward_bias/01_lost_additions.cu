//@ idea: adds to its filter's sum without atomics
//@ caught: race
//@ depth: n * pixels
//@ zero: dbias
//@ block: 256
//@ grid: ceil_div(n * k * pixels, block)

__global__ void convolution_backward_bias(const float* dy, float* dbias, int n, int k, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * k * pixels) dbias[i / pixels % k] += dy[i];
}
