// Each pixel becomes the mean of a window around it.
// The block loads every pixel that its windows cover
// once. x, out: [rows][columns]; blocks of 32 x 8
constexpr int WIDTH = 32;                // of the outputs
constexpr int SIDE = 2 * RADIUS + 1;     // of a window
constexpr int WIDE = WIDTH + 2 * RADIUS; // of the tile
constexpr int HIGH = HEIGHT + 2 * RADIUS;

// Outside the photo, its edge is repeated.
__device__ int inside(int i, int n) {
  return min(max(i, 0), n - 1);
}

__global__ void smooth(const float* x, float* out,
                       int rows, int columns) {
  __shared__ float tile[HIGH][WIDE];
  int top = blockIdx.y * HEIGHT - RADIUS;
  int left = blockIdx.x * WIDTH - RADIUS;
  for (int i = threadIdx.y; i < HIGH; i += 8) {
    int row = inside(top + i, rows);
    for (int j = threadIdx.x; j < WIDE; j += 32) {
      int column = inside(left + j, columns);
      tile[i][j] = x[row * columns + column];
    }
  }
  __syncthreads();  // the tile is full
  int column = blockIdx.x * WIDTH + threadIdx.x;
  for (int i = threadIdx.y; i < HEIGHT; i += 8) {
    int row = blockIdx.y * HEIGHT + i;
    if (row >= rows || column >= columns) return;
    float sum = 0;
    for (int u = 0; u < SIDE; ++u)
      for (int v = 0; v < SIDE; ++v)
        sum += tile[i + u][threadIdx.x + v];
    out[row * columns + column] = sum / (SIDE * SIDE);
  }
}
