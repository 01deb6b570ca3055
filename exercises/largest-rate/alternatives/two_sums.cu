// rate[row] = 1 / (s + 1), where s is the sum of the squares
// of the row's elements
// x: [rows][columns], rate: [rows]
__global__ void largest_rate(const float* x, float* rate,
                             int rows, int columns) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;  // whole warps leave
  const float* of_row = x + row * columns;
  float sum = 0, other = 0;
  for (int c = lane; c < columns; c += 64) {
    sum += of_row[c] * of_row[c];
    if (c + 32 < columns) other += of_row[c + 32] * of_row[c + 32];
  }
  sum += other;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  if (lane == 0) rate[row] = 1 / (sum + 1);
}
