__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  // Each thread takes 4 particles that lie together: loads and stores scatter.
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = i; k < i + 4 && k < n; ++k) {
    float4 p = reinterpret_cast<const float4*>(particles)[k];
    x[k] = p.x;
    y[k] = p.y;
    z[k] = p.z;
    mass[k] = p.w;
  }
}
