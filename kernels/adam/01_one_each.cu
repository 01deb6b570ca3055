//@ idea: one thread a weight
//@ block: 256
//@ grid: ceil_div(n, block)
//@ registers: 40
//@ depth: 8
//@ bytes: 28 * n
//@ flops: 13 * n

// mean_next = mean_decay mean + (1 - mean_decay) dw
// square_next = square_decay square + (1 - square_decay) dw^2
// w_next = w - rate (mean_next / mean_share) / (sqrt(square_next / square_share) + epsilon)
// w, dw, mean, square, w_next, mean_next, square_next: [n]
//
// Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1. Both averages start
// at 0, so after step t they hold 1 - decay^t of what they should: the shares, which the host knows
// from the number of the step. The results may lie where the arrays of the step before lie.
__global__ void adam(const float* w, const float* dw, const float* mean, const float* square,
                     float* w_next, float* mean_next, float* square_next, int n, float rate,
                     float mean_decay, float square_decay, float mean_share, float square_share,
                     float epsilon) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last block reaches past the end
  const float of_mean = mean_decay * mean[i] + (1 - mean_decay) * dw[i];
  const float of_square = square_decay * square[i] + (1 - square_decay) * dw[i] * dw[i];
  mean_next[i] = of_mean;
  square_next[i] = of_square;
  w_next[i] = w[i] - rate * (of_mean / mean_share) / (sqrtf(of_square / square_share) + epsilon);
}
