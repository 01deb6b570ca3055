__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float4 p = reinterpret_cast<const float4*>(particles)[i];
  x[i] = p.x;
  y[i] = p.y;
  z[i] = p.z;
  mass[i] = p.w;
}
