// particles: n x (x, y, z, mass), 16 bytes each
// x, y, z, mass: n elements each
__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  // put particle i's four fields into their arrays
}
