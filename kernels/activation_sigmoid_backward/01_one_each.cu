//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ bytes: 12 * n
//@ flops: 20 * n

// dx = dy sigmoid(x) (1 - sigmoid(x))
// x, dy, dx: [n]
//
// Two words are read and one is written, 12 bytes
// an element: memory bounds it. From x rather
// than from the forward pass's y, so that y need
// not be kept.

// The slope is s (1 - s). Far from 0 that
// subtracts two numbers that are nearly 1; the
// same number without the subtraction is
// e / (1 + e)^2 with e = exp(-|x|), for both signs
// of x.
__device__ float sigmoid_backward(
    float x, float dy) {
  const float e = expf(-fabsf(x));
  return dy * (e / ((1 + e) * (1 + e)));
}

__global__ void activation_sigmoid_backward(
    const float* x, const float* dy, float* dx,
    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  dx[i] = sigmoid_backward(x[i], dy[i]);
}
