// dw[i][o] = the sum of x[row][i] * dz[row][o] over all rows,
// db[o] = the sum of dz[row][o], where dz is dy where y > 0,
// and 0 elsewhere
// x: [n][inputs], y, dy: [n][outputs],
// dw: [inputs][outputs], db: [outputs]
__global__ void weight_gradient(const float* x,
                                const float* y,
                                const float* dy, float* dw,
                                float* db, int n, int inputs,
                                int outputs) {
  __shared__ float part[8][32];
  int output = blockIdx.x * 32 + threadIdx.x;
  int input = blockIdx.y;  // inputs: the bias
  float sum = 0;
  if (output < outputs) {
    // The block's eight warps take turns with the rows. The
    // lanes of a warp have neighbouring outputs, so that
    // their loads coalesce.
    for (int row = threadIdx.y; row < n; row += 8) {
      int at = row * outputs + output;
      float dz = y[at] > 0 ? dy[at] : 0;
      float factor =
          input < inputs ? x[row * inputs + input] : 1;
      sum += factor * dz;
    }
  }
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();  // all eight sums are there
  if (threadIdx.y == 0 && output < outputs) {
    for (int warp = 1; warp < 7; ++warp)
      sum += part[warp][threadIdx.x];
    if (input < inputs)
      dw[input * outputs + output] = sum;
    else
      db[output] = sum;
  }
}
