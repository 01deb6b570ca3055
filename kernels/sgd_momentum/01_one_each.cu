//@ idea: one thread a weight
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 32
//@ depth: 3
//@ bytes: 20 * n
//@ flops: 4 * n

// v_next = momentum v + dw, w_next = w - rate v_next      w, dw, v, w_next, v_next: [n]
//
// The velocity v remembers the gradients of earlier steps, each step a little less; with momentum 0
// it is this step's gradient. The results may lie where w and v lie: each thread reads its own words
// before it writes them, and nobody else touches them.
__global__ void sgd_momentum(const float* w, const float* dw, const float* v, float* w_next,
                             float* v_next, int n, float rate, float momentum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last block reaches past the end
  const float velocity = momentum * v[i] + dw[i];
  v_next[i] = velocity;
  w_next[i] = w[i] - rate * velocity;
}
