//@ idea: one launch adds the bias, another applies sigmoid
//@ registers: 40
//@ bytes: 8 * n * k * pixels
//@ flops: 21 * n * k * pixels
//@ workspace: sums f32[n, k, pixels]
//@ block: 256
//@ launch: add_bias(x, bias, sums, k, pixels)
//@ grid: ceil_div(pixels, block), k, n
//@ launch: activate(sums, y, n * k * pixels)
//@ grid: ceil_div(n * k * pixels, block)

// y = activation(x + bias), activation(x) = 1 / (1 + exp(-x))      x, y: [n][k][pixels], bias: [k]
//
// What a framework does that has a kernel for each operation. The sums are written to memory by one
// and read back by the other: 16 bytes an element, where x in and y out are 8.

// 1 / (1 + exp(-x)). Left of 0 that would be 1 / (1 + something huge), which is 0 long before the
// result is; so the exponential is taken of -|x|, which never overflows, and the fraction is
// extended by it where x is negative.
__device__ float sigmoid(float x) {
  const float e = expf(-fabsf(x));
  return (x < 0 ? e : 1) / (1 + e);
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
  if (i < count) y[i] = sigmoid(sums[i]);
}
