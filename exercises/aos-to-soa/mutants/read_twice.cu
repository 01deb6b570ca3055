__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* all = reinterpret_cast<const float4*>(particles);
  float4 p = __ldcv(all + i);  // every byte of it is used, and moved again
  p = __ldcv(all + i);
  x[i] = p.x;
  y[i] = p.y;
  z[i] = p.z;
  mass[i] = p.w;
}
