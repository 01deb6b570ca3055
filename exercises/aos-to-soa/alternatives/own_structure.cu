// A structure that says itself that it is 16 bytes, and loops that any launch would do.
struct alignas(16) Particle {
  float x, y, z, mass;
};

__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass, int n) {
  const Particle* all = reinterpret_cast<const Particle*>(particles);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const Particle own = all[i];
    x[i] = own.x;
    y[i] = own.y;
    z[i] = own.z;
    mass[i] = own.mass;
  }
}
