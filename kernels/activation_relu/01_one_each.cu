//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 24
//@ bytes: 8 * n
//@ flops: 1 * n

// y = max(x, 0)      x, y: [n]
//
// One comparison an element: nothing is cheaper.
// Its time is that of reading x and writing y.

// max(x, 0), written so that a NaN stays one.
__device__ float relu(float x) {
  return x < 0 ? 0 : x;
}

__global__ void activation_relu(
    const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = relu(x[i]);
}
