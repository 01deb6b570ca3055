// Thread i takes n-1-i: other wires, the same sums.
__global__ void add(const int* x, const int* y,
                    int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int e = n - 1 - i;
    out[e] = x[e] + y[e];
  }
}
