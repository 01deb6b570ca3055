// dw[filter][channel][u][v]: over all outputs of the filter
// in all images, each times the pixel of the channel that
// the weight met there.
// x: [images][channels][side][side]
// dy: [images][filters][out][out]
// dw: [filters][channels][K][K]
// A block for each weight: blockIdx.x is its channel, u and
// v, blockIdx.y its filter.
__global__ void backward_filter(
    const float* x, const float* dy, float* dw, int images,
    int channels, int side, int filters, int K, int out,
    int pad) {
  __shared__ float part[256];
  int channel = blockIdx.x / (K * K);
  int u = blockIdx.x / K % K, v = blockIdx.x % K;
  int filter = blockIdx.y;

  // Neighbouring threads take neighbouring outputs.
  float sum = 0;
  for (int o = threadIdx.x; o < images * out * out;
       o += blockDim.x) {
    int n = o / (out * out);
    int i = o / out % out, j = o % out;
    int row = i - pad + u, column = j - pad + v;
    if (row < 0 || row >= side) continue;
    if (column < 0 || column >= side) continue;
    sum += dy[((n * filters + filter) * out + i) * out + j]
           * x[((n * channels + channel) * side + row)
               * side + column];
  }

  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s && threadIdx.x + s < blockDim.x)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    dw[filter * gridDim.x + blockIdx.x] = part[0];
}
