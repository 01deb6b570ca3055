__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* all =
      reinterpret_cast<const float4*>(particles);
  float4 p = all[i];
  x[i] = p.x;
  y[i] = p.y;
  z[i] = p.z;
  mass[i] = p.w;
}
