// The guard tests a number that begins anew in each block.
__global__ void add(const int* x, const int* y,
                    int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < n) {
    out[i] = x[i] + y[i];
  }
}
