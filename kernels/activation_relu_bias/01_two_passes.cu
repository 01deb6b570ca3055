//@ idea: one launch adds the bias, another applies ReLU
//@ registers: 40
//@ bytes: 8 * n * k * pixels
//@ flops: 2 * n * k * pixels
//@ workspace: sums f32[n, k, pixels]
//@ block: 256
//@ launch: add_bias(x, bias, sums, k, pixels)
//@ grid: ceil_div(pixels, block), k, n
//@ launch: activate(sums, y, n * k * pixels)
//@ grid: ceil_div(n * k * pixels, block)

// y = activation(x + bias), activation(x) = max(x, 0)      x, y: [n][k][pixels], bias: [k]
//
// What a framework does that has a kernel for each operation. The sums are written to memory by one
// and read back by the other: 16 bytes an element, where x in and y out are 8.

// max(x, 0), written so that a NaN stays one.
__device__ float relu(float x) { return x < 0 ? 0 : x; }

__global__ void add_bias(const float* x, const float* bias, float* sums, int k, int pixels) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int filter = blockIdx.y, image = blockIdx.z;
  if (pixel >= pixels) return;
  const int i = (image * k + filter) * pixels + pixel;
  sums[i] = x[i] + bias[filter];
}

__global__ void activate(const float* sums, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = relu(sums[i]);
}
