__global__ void split(const float* particles, float* x, float* y, float* z, float* mass, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
  float4 v = reinterpret_cast<const float4*>(particles)[i];
  if (v.x != 0) x[i] = v.x; if (v.y != 0) y[i] = v.y; if (v.z != 0) z[i] = v.z; if (v.w != 0) mass[i] = v.w;
  }
}
