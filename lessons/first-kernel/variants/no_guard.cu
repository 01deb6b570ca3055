// The guard is gone: each thread started writes.
__global__ void add(const int* x, const int* y,
                    int* out, int n) {
  // this thread's element
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] + y[i];
}
