// rate[row] = 1 / (s + 1), where s is the sum of the squares
// of the row's elements
// x: [rows][columns], rate: [rows]
__global__ void largest_rate(const float* x, float* rate,
                             int rows, int columns) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;  // whole warps leave
  float sum = 0;
  for (int c = lane; c < columns; c += 32) {
    const volatile float* from = x;
    float value = from[row * columns + c];
    sum += value * from[row * columns + c];
  }
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  if (lane == 0) rate[row] = 1 / (sum + 1);
}
