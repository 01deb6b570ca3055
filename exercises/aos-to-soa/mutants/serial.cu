__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (int i = 0; i < n; ++i) {
    x[i] = particles[4 * i];
    y[i] = particles[4 * i + 1];
    z[i] = particles[4 * i + 2];
    mass[i] = particles[4 * i + 3];
  }
}
