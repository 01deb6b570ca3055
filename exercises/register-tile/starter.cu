// The product of two matrices, row-major:
//   c = a b     a: [m][k], b: [k][n], c: [m][n]
// blocks of 256 threads, one for each 64 x 64 elements of c
constexpr int SIDE = 64;   // rows and columns of c per block
constexpr int DEPTH = 16;  // of a step along k
constexpr int OWN = 4;     // a thread's square is OWN x OWN
constexpr int ROW = SIDE / OWN;  // threads beside each other

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tile_a[SIDE][DEPTH], tile_b[DEPTH][SIDE];
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  int row = threadIdx.x / ROW * OWN;
  int column = threadIdx.x % ROW * OWN;
  float sum[OWN][OWN] = {};
  for (int first = 0; first < k; first += DEPTH) {
    for (int i = threadIdx.x; i < SIDE * DEPTH; i += 256) {
      int r = top + i / DEPTH, d = first + i % DEPTH;
      tile_a[i / DEPTH][i % DEPTH] =
          r < m && d < k ? a[r * k + d] : 0;
    }
    // fill tile_b in the same way
    __syncthreads();  // both tiles are full
    // for each depth d of the tiles: load 4 elements of each,
    // and add their 16 products to sum
    __syncthreads();  // nobody needs them any more
  }
  // store the 16 sums
}
