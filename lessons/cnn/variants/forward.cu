// y[i][j]: the weighted sum of a window. A thread
// per output.
// x: [images][side][side], w: [K][K]
// y: [images][out][out]
__global__ void forward(
    const float* x, const float* w, float* y,
    int images, int side, int K, int out) {
  int output =
      blockIdx.x * blockDim.x + threadIdx.x;
  if (output >= images * out * out) return;
  int image = output / (out * out);
  int i = output / out % out, j = output % out;
  x += image * side * side;

  float sum = 0;
  for (int u = 0; u < K; ++u)
    for (int v = 0; v < K; ++v)
      sum += x[(i + u) * side + j + v]
             * w[u * K + v];
  y[output] = sum;
}
