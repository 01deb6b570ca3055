// x: [side][side][channels]
// weights: [filters][taps][taps][channels]
// y: [out][out][filters]
__global__ void convolve_nhwc(
    const float* x, const float* weights,
    const float* bias, float* y, int channels,
    int side, int filters, int taps, int out,
    int stride, int pad, int dilation) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  int filter = blockIdx.y;
  if (pixel >= out * out) return;
  int out_row = pixel / out,
      out_column = pixel % out;

  float sum = bias[filter];
  for (int r = 0; r < taps; ++r) {
    int row = out_row * stride - pad + r * dilation;
    if (row < 0 || row >= side) continue;
    for (int s = 0; s < taps; ++s) {
      int column = out_column * stride - pad +
                   s * dilation;
      if (column < 0 || column >= side) continue;
      for (int channel = 0; channel < channels;
           ++channel) {
        sum += x[(row * side + column) * channels +
                 channel] *
               weights[((filter * taps + r) * taps +
                        s) * channels + channel];
      }
    }
  }
  y[(out_row * out + out_column) * filters +
    filter] = sum;
}
