// Every thread reads, from the nearest pixel that there is, and multiplies by 0 or 1.
__global__ void im2col(const float* x, float* columns, int h, int w, int r, int s, int p, int q,
                       int stride, int pad) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  if (out < p * q) {
    const float* plane = x + blockIdx.y / (r * s) * h * w;
    int row = out / q * stride + int(blockIdx.y / s % r) - pad;
    int column = out % q * stride + int(blockIdx.y % s) - pad;
    int near_row = max(0, min(row, h - 1)), near_column = max(0, min(column, w - 1));
    float there = near_row == row && near_column == column;
    columns[blockIdx.y * p * q + out] = there * plane[near_row * w + near_column];
  }
}
