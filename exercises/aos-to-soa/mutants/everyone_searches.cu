__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  for (int k = 0; k < blockDim.x; ++k) {  // walks to its particle instead of going there
    int i = blockIdx.x * blockDim.x + k;
    if (k == threadIdx.x && i < n) {
      float4 p = reinterpret_cast<const float4*>(particles)[i];
      x[i] = p.x;
      y[i] = p.y;
      z[i] = p.z;
      mass[i] = p.w;
    }
    __syncthreads();  // so that the compiler cannot skip the walk
  }
}
