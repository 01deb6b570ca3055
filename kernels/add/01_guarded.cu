//@ idea: one thread an element, and a guard for the threads past the end
//@ block: 256
//@ grid: ceil_div(n, block)
//@ shared: 0
//@ needs: 75
//@ registers: 16
//@ bytes: 12 * n
//@ flops: n

// out[i] = x[i] + y[i]      x, y, out: [n]
__global__ void add(const int* x, const int* y,
                    int* out, int n) {
  // this thread's element
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {  // the last block may reach past n
    out[i] = x[i] + y[i];
  }
}
