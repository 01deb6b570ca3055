// x: [channels][side][side], y: [filters][out][out]
// weights: [filters][channels][taps][taps]
__global__ void convolve(
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
  for (int channel = 0; channel < channels;
       ++channel) {
    for (int r = 0; r < taps; ++r) {
      int row = out_row * stride - pad +
                r * dilation;
      if (row < 0 || row >= side) continue;
      for (int s = 0; s < taps; ++s) {
        int column = out_column * stride - pad +
                     s * dilation;
        if (column < 0 || column >= side) continue;
        sum +=
            x[(channel * side + row) * side +
              column] *
            weights[((filter * channels + channel) *
                     taps + r) * taps + s];
      }
    }
  }
  y[(filter * out + out_row) * out +
    out_column] = sum;
}
