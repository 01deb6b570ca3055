// A small picture becomes a larger one: each of its
// values stamps the filter, times itself. Where the
// stamps overlap, they add up. A thread per value.
// small: [out][out], w: [K][K]
// large: [side][side], all 0
__global__ void stamped(
    const float* small, const float* w,
    float* large, int side, int K, int out) {
  int value = blockIdx.x * blockDim.x + threadIdx.x;
  if (value >= out * out) return;
  int i = value / out, j = value % out;
  for (int u = 0; u < K; ++u)
    for (int v = 0; v < K; ++v)
      atomicAdd(&large[(i + u) * side + j + v],
                small[value] * w[u * K + v]);
}
