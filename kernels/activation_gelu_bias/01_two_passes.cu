//@ idea: one launch adds the bias, another applies GELU
//@ registers: 40
//@ bytes: 8 * n * k * pixels
//@ flops: 51 * n * k * pixels
//@ workspace: sums f32[n, k, pixels]
//@ block: 256
//@ launch: add_bias(x, bias, sums, k, pixels)
//@ grid: ceil_div(pixels, block), k, n
//@ launch: activate(sums, y, n * k * pixels)
//@ grid: ceil_div(n * k * pixels, block)

// y = activation(x + bias), activation(x) = x P(x), P the normal distribution
// x, y: [n][k][pixels], bias: [k]
//
// What a framework does that has a kernel for each operation. The sums are written to memory by one
// and read back by the other: 16 bytes an element, where x in and y out are 8.

// x P(x), P the normal distribution: the exact form, not the one with tanh. normcdff rather than (1
// + erff(x / sqrt 2)) / 2, which left of 0 would subtract two numbers that are nearly 1. Left of
// -15 the result is 0 in any float; stopping there keeps minus infinity from being multiplied by 0.
__device__ float gelu(float x) {
  const float bounded = x < -15 ? -15 : x;
  return bounded * normcdff(bounded);
}

__global__ void add_bias(const float* x, const float* bias, float* sums, int k, int pixels) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int filter = blockIdx.y, image = blockIdx.z;
  if (pixel >= pixels) return;
  const int i = (image * k + filter) * pixels + pixel;
  sums[i] = x[i] + bias[filter];
}

__global__ void activate(const float* sums, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = gelu(sums[i]);
}
