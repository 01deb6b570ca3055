//@ idea: forgets to divide by the number of elements
//@ caught: values
//@ depth: n
//@ block: 1
//@ grid: 1

__global__ void mean_square_error(const float* x, const float* target, float* loss, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += (x[i] - target[i]) * (x[i] - target[i]);
  loss[0] = sum;
}
