__kernel void convolution(__global const float* from, __global const float* weights, __global float* to, int n) {
  const int x = get_global_id(0), y = get_global_id(1), out = get_global_id(2);
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int in = 0; in < 8; ++in) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (y + dy < 0 || y + dy >= n || x + dx < 0 || x + dx >= n) continue;
        sum += from[(in * n + y + dy) * n + x + dx] * weights[(out * 8 + in) * 9 + (dy + 1) * 3 + dx + 1];
      }
    }
  }
  to[(out * n + y) * n + x] = sum;
}
