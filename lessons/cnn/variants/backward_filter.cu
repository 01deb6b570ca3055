// dw[u][v]: over all outputs of all images, each
// times the pixel that this weight met there. A
// thread per weight.
// x: [images][side][side]
// dy: [images][out][out], dw: [K][K]
__global__ void backward_filter(
    const float* x, const float* dy, float* dw,
    int images, int side, int K, int out) {
  int weight =
      blockIdx.x * blockDim.x + threadIdx.x;
  if (weight >= K * K) return;
  int u = weight / K, v = weight % K;

  float sum = 0;
  for (int n = 0; n < images; ++n)
    for (int i = 0; i < out; ++i)
      for (int j = 0; j < out; ++j)
        sum += dy[(n * out + i) * out + j]
               * x[(n * side + i + u) * side
                   + j + v];
  dw[weight] = sum;
}
