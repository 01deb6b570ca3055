struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

// one step dt along x, particles in one array
__global__ void aos(Particle* p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].x += p[i].vx * dt;
  }
}

// the same, every field in an array of its own
__global__ void soa(float* x, const float* vx,
                    int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += vx[i] * dt;
  }
}
