// Powers of two, and the reductions in shared memory instead of by shuffles.
__global__ void softmax(const float* x, float* y, int columns) {
  __shared__ float from_lane[32];
  const float* row = x + blockIdx.x * columns;
  const float log2_e = 1.44269504f;
  int lane = threadIdx.x;
  float largest = -3.0e38f;
  for (int c = lane; c < columns; c += 32) largest = max(largest, row[c]);
  from_lane[lane] = largest;
  __syncthreads();
  for (int k = 0; k < 32; ++k) largest = max(largest, from_lane[k]);
  __syncthreads();
  float sum = 0;
  for (int c = lane; c < columns; c += 32) sum += exp2f((row[c] - largest) * log2_e);
  from_lane[lane] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 32; ++k) sum += from_lane[k];
  for (int c = lane; c < columns; c += 32)
    y[blockIdx.x * columns + c] = sum > 0 ? exp2f((row[c] - largest) * log2_e) / sum : 0;
}
