// Four elements of a lane have one maximum between them, so that the sum is scaled once for four elements.
__global__ void softmax(const float* x, float* y, int columns) {
  x += blockIdx.x * columns;
  y += blockIdx.x * columns;
  float top = -1e38f, sum = 0;
  for (int first = threadIdx.x; first < columns; first += 128) {
    float element[4], raised = top;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      element[k] = first + 32 * k < columns ? x[first + 32 * k] : -INFINITY;
      raised = fmaxf(raised, element[k]);
    }
    sum *= expf(top - raised);
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += expf(element[k] - raised);
    top = raised;
  }
  __shared__ float tops[32], sums[32];
  tops[threadIdx.x] = top;
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 0; k < 32; ++k) top = fmaxf(top, tops[k]);
  sum = 0;
  for (int k = 0; k < 32; ++k) sum += sums[k] * expf(tops[k] - top);
  for (int c = threadIdx.x; c < columns; c += 32)
    y[c] = sum > 0 ? expf(x[c] - top) / sum : 0;
}
