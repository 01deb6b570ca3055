__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = particles[4 * i];
  y[i] = particles[4 * i + 1];
  z[i] = particles[4 * i + 2];
  mass[i] = particles[4 * i + 3];
}
