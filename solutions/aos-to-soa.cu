// particles: n x (x, y, z, mass), 16 bytes each
// x, y, z, mass: n elements each
__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // One load of 16 bytes: two neighbouring lanes use a whole
  // sector, so each sector moves once. Four loads of 4 bytes
  // would each move all of these sectors again.
  const float4* all =
      reinterpret_cast<const float4*>(particles);
  float4 p = all[i];
  x[i] = p.x;
  y[i] = p.y;
  z[i] = p.z;
  mass[i] = p.w;
}
