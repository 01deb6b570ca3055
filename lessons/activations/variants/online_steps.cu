// One row's online pass, with what is known after each word written down      x, maxima, sums: [columns]
constexpr float kLowest = -3.402823466e38f;  // finite: two infinities are never subtracted

__global__ void online_steps(const float* x, float* maxima, float* sums, int columns) {
  if (blockIdx.x * blockDim.x + threadIdx.x != 0) return;
  float maximum = kLowest, sum = 0;
  for (int column = 0; column < columns; ++column) {
    const float raised = fmaxf(maximum, x[column]);
    sum = sum * expf(maximum - raised) + expf(x[column] - raised);
    maximum = raised;
    maxima[column] = maximum;
    sums[column] = sum;
  }
}
