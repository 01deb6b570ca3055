// y = x * weights + bias, with stride 1: four filters per
// thread, and blocks of 16 x 16 threads for as many places.
// x: [images][channels][side][side]
// weights: [filters][channels][K][K], K at most 5
// bias: [filters]
// y: [images][filters][out][out]
// blockIdx.x counts the tiles of 16 x 16 places of an
// image, blockIdx.y groups of four filters, blockIdx.z
// images.
__global__ void own_convolution(
    const float* x, const float* weights,
    const float* bias, float* y, int images, int channels,
    int side, int filters, int K, int pad, int out) {
  int tiles = (out + 15) / 16;  // in a row
  int first_row = blockIdx.x / tiles * 16;
  int first_column = blockIdx.x % tiles * 16;
  int first = blockIdx.y * 4, image = blockIdx.z;
  int i = first_row + threadIdx.y;
  int j = first_column + threadIdx.x;

  // every value comes from global memory, again and again:
  // let the block fetch what it needs once
  if (i >= out || j >= out) return;
  for (int f = first; f < first + 4 && f < filters; ++f) {
    float sum = 0;
    for (int c = 0; c < channels; ++c)
      for (int u = 0; u < K; ++u)
        for (int v = 0; v < K; ++v) {
          int row = i - pad + u, column = j - pad + v;
          if (row < 0 || row >= side) continue;
          if (column < 0 || column >= side) continue;
          sum += x[((image * channels + c) * side + row)
                   * side + column]
                 * weights[(f * channels + c) * K * K
                           + u * K + v];
        }
    y[((image * filters + f) * out + i) * out + j] =
        sum + bias[f];
  }
}
