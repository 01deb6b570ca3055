__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  __shared__ float tile[32];
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  int lane = threadIdx.x;
  if (threadIdx.y == 0) tile[lane] = 0;
  __syncthreads();
  for (int group = threadIdx.y; group < 4; group += 8) {
    // Eight columns of x, 32 rows: a lane holds eight pixels.
    float v[8];
    for (int k = 0; k < 8; ++k) {
      int row = top + k * 4 + lane / 8, column = left + group * 8 + lane % 8;
      v[k] = row < rows && column < columns ? x[row * columns + column] : tile[lane];
    }
    for (int j = 0; j < 8; ++j) {
      float got = 0;
      for (int k = 0; k < 8; ++k) {
        float from = __shfl_sync(~0u, v[k], lane % 4 * 8 + j);
        if (lane / 4 == k) got = from;
      }
      int row = top + lane, to = left + group * 8 + j;
      if (row < rows && to < columns) out[to * rows + rows - 1 - row] = got;
    }
  }
}
