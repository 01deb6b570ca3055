//@ idea: a block fetches square tiles of A and B into shared memory once, and all its threads use them
//@ block: TILE, TILE
//@ grid: ceil_div(n, TILE), ceil_div(m, TILE)
//@ needs: 75
//@ defines: TILE=32
//@ registers: 48
//@ bytes: 4 * (m * k + k * n + m * n)
//@ flops: 2 * m * n * k

// c = a b      a: [m][k], b: [k][n], c: [m][n], row-major
//
// A block makes a tile of TILE x TILE elements of C. It walks along k in steps of TILE: each thread
// fetches one element of A's tile and one of B's, and then takes TILE steps of its dot product from
// shared memory. So a word that was fetched once is used TILE times: 2 fetches for 2 TILE flops,
// 0.125 bytes a flop at TILE 32, a thirty-second of what the rungs before asked for. Now shared
// memory bounds it: two loads for each multiply-add.
#ifndef TILE
#define TILE 32
#endif

__global__ void sgemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;

  float sum = 0;
  for (int tile_k = 0; tile_k < k; tile_k += TILE) {
    // What lies outside a matrix is 0 and adds nothing. No thread leaves early: all must reach the
    // barriers, and a thread outside C still fetches for the others.
    const int depth_a = tile_k + threadIdx.x, depth_b = tile_k + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && depth_a < k ? a[row * k + depth_a] : 0;
    tile_b[threadIdx.y][threadIdx.x] = depth_b < k && column < n ? b[depth_b * n + column] : 0;
    __syncthreads();  // the tiles are whole before anyone reads them

    for (int depth = 0; depth < TILE; ++depth) {
      sum += tile_a[threadIdx.y][depth] * tile_b[depth][threadIdx.x];
    }
    __syncthreads();  // everyone has read before the next tiles overwrite these
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
