__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  if (blockIdx.x != 0) return;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float4 p = reinterpret_cast<const float4*>(particles)[i];
    x[i] = p.x;
    y[i] = p.y;
    z[i] = p.z;
    mass[i] = p.w;
  }
}
