// dx, seen from the outputs: each adds to all the
// pixels of its window. A thread per output.
// dy: [images][out][out], w: [K][K]
// dx: [images][side][side], all 0
__global__ void backward_data(
    const float* dy, const float* w, float* dx,
    int images, int side, int K, int out) {
  int output =
      blockIdx.x * blockDim.x + threadIdx.x;
  if (output >= images * out * out) return;
  int image = output / (out * out);
  int i = output / out % out, j = output % out;
  dx += image * side * side;

  for (int u = 0; u < K; ++u)
    for (int v = 0; v < K; ++v)
      dx[(i + u) * side + j + v] +=
          dy[output] * w[u * K + v];
}
