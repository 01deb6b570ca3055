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
  __shared__ float tile[20][20];  // with its rim
  __shared__ float part[4][25];   // of four filters
  int tiles = (out + 15) / 16;  // in a row
  int first_row = blockIdx.x / tiles * 16;
  int first_column = blockIdx.x % tiles * 16;
  int first = blockIdx.y * 4, image = blockIdx.z;
  int i = first_row + threadIdx.y;
  int j = first_column + threadIdx.x;
  int thread = threadIdx.y * 16 + threadIdx.x;
  int wide = 16;

  float sum[4] = {};
  for (int c = 0; c < channels; ++c) {
    for (int t = thread; t < wide * wide; t += 256) {
      int row = first_row - pad + t / wide;
      int column = first_column - pad + t % wide;
      bool inside = row >= 0 && row < side &&
                    column >= 0 && column < side;
      tile[t / wide][t % wide] =
          inside ? x[((image * channels + c) * side + row)
                     * side + column] : 0;
    }
    for (int t = thread; t < 4 * K * K; t += 256) {
      int f = first + t / (K * K);
      part[t / (K * K)][t % (K * K)] =
          f < filters ? weights[(f * channels + c) * K * K
                                + t % (K * K)] : 0;
    }
    __syncthreads();  // tile and weights are there
    for (int u = 0; u < K; ++u)
      for (int v = 0; v < K; ++v) {
        float pixel = tile[threadIdx.y + u][threadIdx.x + v];
        for (int f = 0; f < 4; ++f)
          sum[f] += pixel * part[f][u * K + v];
      }
    __syncthreads();  // all are done with them
  }

  if (i >= out || j >= out) return;
  for (int f = 0; f < 4 && first + f < filters; ++f)
    y[((image * filters + first + f) * out + i) * out + j] =
        sum[f] + bias[first + f];
}
