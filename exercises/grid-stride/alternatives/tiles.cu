// Blocks take tiles of as many elements as they have threads: tile b, then the one a grid of blocks further on.
extern "C" __global__ void scale(int n, float a, float* __restrict__ x) {
  const unsigned count = n;
  for (unsigned tile = blockIdx.x; tile * blockDim.x < count; tile += gridDim.x) {
    const unsigned i = tile * blockDim.x + threadIdx.x;
    if (i < count) x[i] *= a;
  }
}
