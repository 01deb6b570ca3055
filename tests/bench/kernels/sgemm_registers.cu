// C = A B, n a multiple of 128: a block of 256 threads makes a tile of 128 x 128, each thread 8 x 8 of it in registers,
// from tiles of depth 8 in shared memory that are read and written four floats at a time. A's tile lies transposed.
__global__ void sgemm_registers(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float tile_a[8][128], tile_b[8][128];
  const int thread = threadIdx.x, x = thread % 16 * 8, y = thread / 16 * 8;
  const int a_row = thread / 2, a_column = thread % 2 * 4;
  const int b_row = thread / 32, b_column = thread % 32 * 4;
  const float* from_a = a + (blockIdx.y * 128 + a_row) * n + a_column;
  const float* from_b = b + b_row * n + blockIdx.x * 128 + b_column;
  float sum[8][8] = {};
  for (int k = 0; k < n; k += 8) {
    const float4 four = *reinterpret_cast<const float4*>(from_a + k);
    tile_a[a_column][a_row] = four.x;
    tile_a[a_column + 1][a_row] = four.y;
    tile_a[a_column + 2][a_row] = four.z;
    tile_a[a_column + 3][a_row] = four.w;
    *reinterpret_cast<float4*>(&tile_b[b_row][b_column]) =
        *reinterpret_cast<const float4*>(from_b + k * n);
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < 8; ++depth) {
      float of_a[8], of_b[8];
#pragma unroll
      for (int i = 0; i < 8; i += 4) {
        *reinterpret_cast<float4*>(of_a + i) =
            *reinterpret_cast<const float4*>(&tile_a[depth][y + i]);
        *reinterpret_cast<float4*>(of_b + i) =
            *reinterpret_cast<const float4*>(&tile_b[depth][x + i]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += of_a[i] * of_b[j];
      }
    }
    __syncthreads();
  }
  float* to = c + (blockIdx.y * 128 + y) * n + blockIdx.x * 128 + x;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      *reinterpret_cast<float4*>(to + i * n + j) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
    }
  }
}
