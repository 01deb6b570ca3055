//@ idea: forgets that the averages start at 0
//@ caught: values
//@ depth: 8
//@ block: 256
//@ grid: ceil_div(n, block)

__global__ void adam(const float* w, const float* dw, const float* mean, const float* square,
                     float* w_next, float* mean_next, float* square_next, int n, float rate,
                     float mean_decay, float square_decay, float mean_share, float square_share,
                     float epsilon) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  mean_next[i] = mean_decay * mean[i] + (1 - mean_decay) * dw[i];
  square_next[i] = square_decay * square[i] + (1 - square_decay) * dw[i] * dw[i];
  w_next[i] = w[i] - rate * mean_next[i] / (sqrtf(square_next[i]) + epsilon);
}
