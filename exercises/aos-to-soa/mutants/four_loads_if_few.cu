__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p;
  if (n < 5000) {
    const volatile float* own = particles + 4 * i;
    p = make_float4(own[0], own[1], own[2], own[3]);
  } else {
    p = reinterpret_cast<const float4*>(particles)[i];
  }
  x[i] = p.x;
  y[i] = p.y;
  z[i] = p.z;
  mass[i] = p.w;
}
