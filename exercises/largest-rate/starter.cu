// rate[row] = 1 / (s + 1), where s is the sum of the squares
// of the row's elements
// x: [rows][columns], rate: [rows]
__global__ void largest_rate(const float* x, float* rate,
                             int rows, int columns) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float sum = 0;
  // a warp adds up the squares of its row
}
