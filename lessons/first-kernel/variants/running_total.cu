// Each thread needs what another thread writes.
__global__ void add(const int* x, const int* y,
                    int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // has that thread written yet?
    int before = i == 0 ? 0 : out[i - 1];
    out[i] = before + x[i];
  }
}
