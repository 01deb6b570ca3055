// One row's online pass: what is known after each
// word is written down
// x, maxima, sums: [columns]

// Finite: two infinities are never subtracted.
constexpr float kLowest = -3.402823466e38f;

__global__ void online_steps(
    const float* x, float* maxima, float* sums,
    int columns) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  float maximum = kLowest, sum = 0;
  for (int c = 0; c < columns; ++c) {
    const float raised = fmaxf(maximum, x[c]);
    sum = sum * expf(maximum - raised) +
          expf(x[c] - raised);
    maximum = raised;
    maxima[c] = maximum;
    sums[c] = sum;
  }
}
