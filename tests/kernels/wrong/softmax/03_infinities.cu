//@ idea: subtracts one infinity from another where a lane has no words
//@ caught: values
//@ block: 32
//@ grid: rows

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const int lane = threadIdx.x, row = blockIdx.x;
  float maximum = -INFINITY, sum = 0;
  for (int i = lane; i < columns; i += 32) {
    const float raised = fmaxf(maximum, x[row * columns + i]);
    sum = sum * expf(maximum - raised) + expf(x[row * columns + i] - raised);
    maximum = raised;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_xor_sync(0xffffffff, maximum, distance);
    const float other_sum = __shfl_xor_sync(0xffffffff, sum, distance),
                raised = fmaxf(maximum, other);
    sum = sum * expf(maximum - raised) + other_sum * expf(other - raised);
    maximum = raised;
  }
  for (int i = lane; i < columns; i += 32)
    y[row * columns + i] = expf(x[row * columns + i] - maximum) / sum;
}
