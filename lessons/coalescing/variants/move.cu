struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

// One step along x, the particles as structures.
__global__ void aos(Particle* p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].x += p[i].vx * dt;
  }
}

// The same step, with an array for each field.
__global__ void soa(float* x, const float* vx,
                    int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += vx[i] * dt;
  }
}
