//@ idea: one thread an element
//@ block: 256
//@ grid: ceil_div(n, block)
//@ needs: 75
//@ registers: 16
//@ bytes: 8 * n
//@ flops: 0

// x, out: [n]
//
// Each element is read once and written once: 8 bytes and no arithmetic. On a GPU of 4.8 TB/s, 2^28 elements (2 GiB moved)
// take 0.45 ms at the very least. Every kernel that reads and writes each element once can be as fast as this and no faster,
// so this folder is the ceiling that transposes, sums and activations are held against.
//
// 32 neighbouring threads read 32 neighbouring floats: 128 bytes, four whole sectors, one request. Nothing is moved in vain.
__global__ void copy(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i];
}
