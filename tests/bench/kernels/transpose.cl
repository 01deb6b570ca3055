__kernel void transpose(__global const float* from, __global float* to, int n) {
  __local float tile[32][33];
  const int column = get_local_id(0), row = get_local_id(1);
  const int x = get_group_id(0) * 32 + column, y = get_group_id(1) * 32 + row;
  for (int i = 0; i < 32; i += 8) {
    if (x < n && y + i < n) tile[row + i][column] = from[(y + i) * n + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int to_x = get_group_id(1) * 32 + column, to_y = get_group_id(0) * 32 + row;
  for (int i = 0; i < 32; i += 8) {
    if (to_x < n && to_y + i < n) to[(to_y + i) * n + to_x] = tile[column][row + i];
  }
}
