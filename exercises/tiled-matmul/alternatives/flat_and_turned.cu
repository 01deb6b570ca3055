// The tile of a is stored with rows and columns exchanged, in one
// array for both, and a message is printed while testing.
#include <cstdio>
constexpr int TILE = 16, PITCH = TILE + 1;

__global__ void multiply(const float* a, const float* b,
                         float* c, int m, int n, int k) {
  __shared__ float tiles[2 * TILE * PITCH];
  float *of_a = tiles, *of_b = tiles + TILE * PITCH;
  int x = threadIdx.x, y = threadIdx.y;
  if (blockIdx.x + blockIdx.y + x + y == 0) printf("k is %d\n", k);
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int first = k > 0 ? (k - 1) / TILE * TILE : -1; first >= 0; first -= TILE) {
    of_a[x * PITCH + y] = row < m && first + x < k ? a[row * k + first + x] : 0;
    of_b[y * PITCH + x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int d = 0; d < TILE; ++d) sum += of_a[d * PITCH + y] * of_b[d * PITCH + x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
