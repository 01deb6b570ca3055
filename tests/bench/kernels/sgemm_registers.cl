__kernel void sgemm_registers(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float tile_a[8][128] __attribute__((aligned(16))), tile_b[8][128] __attribute__((aligned(16)));
  const int thread = get_local_id(0), x = thread % 16 * 8, y = thread / 16 * 8;
  const int a_row = thread / 2, a_column = thread % 2 * 4;
  const int b_row = thread / 32, b_column = thread % 32 * 4;
  __global const float* from_a = a + (get_group_id(1) * 128 + a_row) * n + a_column;
  __global const float* from_b = b + b_row * n + get_group_id(0) * 128 + b_column;
  float sum[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) sum[i][j] = 0;
  }
  for (int k = 0; k < n; k += 8) {
    const float4 four = vload4(0, from_a + k);
    tile_a[a_column][a_row] = four.x;
    tile_a[a_column + 1][a_row] = four.y;
    tile_a[a_column + 2][a_row] = four.z;
    tile_a[a_column + 3][a_row] = four.w;
    vstore4(vload4(0, from_b + k * n), 0, &tile_b[b_row][b_column]);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int depth = 0; depth < 8; ++depth) {
      float of_a[8], of_b[8];
#pragma unroll
      for (int i = 0; i < 8; i += 4) {
        vstore4(vload4(0, &tile_a[depth][y + i]), 0, of_a + i);
        vstore4(vload4(0, &tile_b[depth][x + i]), 0, of_b + i);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += of_a[i] * of_b[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  __global float* to = c + (get_group_id(1) * 128 + y) * n + get_group_id(0) * 128 + x;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; j += 4) vstore4(vload4(0, sum[i] + j), 0, to + i * n + j);
  }
}
