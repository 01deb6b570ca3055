// x: [side][side][channels], y: [out][out][filters]
// weights: [filters][K][K][channels]
__global__ void convolve_nhwc(
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
      for (int channel = 0; channel < channels;
           ++channel) {
        sum += x[(row * side + column) * channels +
                 channel] *
               weights[((filter * K + u) * K + v) *
                       channels + channel];
      }
    }
  }
  y[(i * out + j) * filters + filter] = sum;
}
