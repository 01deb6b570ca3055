//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ bytes: 8 * n
//@ flops: 20 * n

// y = tanh(x)      x, y: [n]
//
// About 20 instructions an element: still less
// than a GPU can do while it moves 8 bytes.

// tanhf, within 2 ulp. The textbook's
// (e^x - e^-x) / (e^x + e^-x) gives inf / inf from
// x = 89 on, and near 0 it subtracts two numbers
// that are nearly 1; the library's takes another
// way at either end.
__device__ float hyperbolic_tangent(float x) {
  return tanhf(x);
}

__global__ void activation_tanh(
    const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = hyperbolic_tangent(x[i]);
}
