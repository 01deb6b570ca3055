__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass,
                      int n) {
  __shared__ float tile[4 * 256];  // blocks have 256 threads at most
  int first = blockIdx.x * blockDim.x, here = min(int(blockDim.x), n - first);
  for (int j = threadIdx.x; j < 4 * here; j += blockDim.x) tile[j] = particles[4 * first + j];
  __syncthreads();
  if (threadIdx.x >= here) return;
  int i = first + threadIdx.x;
  x[i] = tile[4 * threadIdx.x];
  y[i] = tile[4 * threadIdx.x + 1];
  z[i] = tile[4 * threadIdx.x + 2];
  mass[i] = tile[4 * threadIdx.x + 3];
}
