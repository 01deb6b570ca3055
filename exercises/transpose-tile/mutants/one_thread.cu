__global__ void turn(const float* x, float* out,
                     int rows, int columns) {
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  int top = blockIdx.y * 32, left = blockIdx.x * 32;
  for (int row = top; row < min(top + 32, rows); ++row)
    for (int column = left; column < min(left + 32, columns); ++column)
      out[column * rows + rows - 1 - row] = x[row * columns + column];
}
