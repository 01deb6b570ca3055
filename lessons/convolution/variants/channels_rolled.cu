// As channels_inside, but its innermost loop is not
// unrolled.
// x: [channels][side][side], y: [filters][out][out]
// weights: [filters][channels][K][K]
__global__ void convolve(
    const float* x, const float* weights,
    const float* bias, float* y, int channels,
    int side, int filters, int K, int out,
    int stride, int pad, int dilation) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  int filter = blockIdx.y;
  if (pixel >= out * out) return;
  int i = pixel / out, j = pixel % out;

  float sum = bias[filter];
  for (int u = 0; u < K; ++u) {
    int row = i * stride - pad + u * dilation;
    if (row < 0 || row >= side) continue;
    for (int v = 0; v < K; ++v) {
      int column = j * stride - pad + v * dilation;
      if (column < 0 || column >= side) continue;
#pragma unroll 1
      for (int channel = 0; channel < channels;
           ++channel) {
        sum +=
            x[(channel * side + row) * side +
              column] *
            weights[((filter * channels + channel)
                     * K + u) * K + v];
      }
    }
  }
  y[(filter * out + i) * out + j] = sum;
}
