__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2* all = reinterpret_cast<const float2*>(particles);
  float2 first = all[2 * i], second = all[2 * i + 1];
  x[i] = first.x;
  y[i] = first.y;
  z[i] = second.x;
  mass[i] = second.y;
}
