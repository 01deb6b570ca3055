__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 32 % 2) return;
  for (int end = i + 64; i < end && i < n; i += 32) {
    float4 p = reinterpret_cast<const float4*>(particles)[i];
    x[i] = p.x;
    y[i] = p.y;
    z[i] = p.z;
    mass[i] = p.w;
  }
}
