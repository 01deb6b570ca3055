__global__ void split(const float* particles, float* x, float* y, float* z, float* mass, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
  float4 v = reinterpret_cast<const float4*>(particles)[i];
  x[i] = v.x; y[i] = v.y; z[i] = v.z; mass[i] = (int)(2 * v.w) * 0.5f;
  }
}
