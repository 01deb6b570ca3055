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
  int output = blockIdx.x * 32 + threadIdx.x;
  int input = blockIdx.y;  // inputs: the bias
  float sum = 0;
  // the rows are shared out among the block's eight warps,
  // threadIdx.y = 0 to 7, and their sums are brought together
}
