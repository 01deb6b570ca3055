// Each thread needs what another thread writes.
__global__ void add(const int* x, const int* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int before = i == 0 ? 0 : out[i - 1];  // has that thread written yet?
    out[i] = before + x[i];
  }
}
