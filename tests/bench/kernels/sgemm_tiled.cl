__kernel void sgemm_tiled(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float tile_a[32][32], tile_b[32][32];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * 32 + y, column = get_group_id(0) * 32 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 32; ++i) sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
