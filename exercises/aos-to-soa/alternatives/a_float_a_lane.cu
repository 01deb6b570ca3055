// Lanes read neighbouring floats, in four rounds; each store of a warp reaches one sector of every array.
__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int threads = gridDim.x * blockDim.x;  // a multiple of 4: a thread's field stays the same
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float* field = j % 4 == 0 ? x : j % 4 == 1 ? y : j % 4 == 2 ? z : mass;
  for (; j < 4 * n; j += threads) field[j / 4] = particles[j];
}
