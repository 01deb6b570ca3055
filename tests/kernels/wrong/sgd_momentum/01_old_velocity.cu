//@ idea: moves the weight by the velocity of the step before
//@ caught: values
//@ depth: 3
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void sgd_momentum(const float* w, const float* dw, const float* v, float* w_next,
                             float* v_next, int n, float rate, float momentum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  w_next[i] = w[i] - rate * v[i];
  v_next[i] = momentum * v[i] + dw[i];
}
