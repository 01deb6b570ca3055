// dx[row][column]: over all outputs that saw this
// pixel. A thread per pixel.
// dy: [images][out][out], w: [K][K]
// dx: [images][side][side]
__global__ void backward_data(
    const float* dy, const float* w, float* dx,
    int images, int side, int K, int out) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= images * side * side) return;
  int image = pixel / (side * side);
  int row = pixel / side % side;
  int column = pixel % side;
  dy += image * out * out;

  float sum = 0;
  for (int u = 0; u < K; ++u)
    for (int v = 0; v < K; ++v) {
      // The output that saw it with w[u][v].
      int i = row - u, j = column - v;
      if (i < 0 || i >= out) continue;
      if (j < 0 || j >= out) continue;
      sum += dy[i * out + j] * w[u * K + v];
    }
  dx[pixel] = sum;
}
