//@ idea: every thread adds its element to the sum
//@ block: 256
//@ zero: out
//@ atomics: f32
//@ depth: n
//@ grid: ceil_div(n, block)
//@ needs: 75
//@ registers: 16
//@ bytes: 4 * n
//@ flops: n

// x: [n], out: [1], which the host sets to 0
//
// 4 bytes are read for one addition, so memory bounds a sum: 2^28 elements (1 GiB) take 0.22 ms at 4.8 TB/s. A sum only reads, so
// it may well be faster than a copy of as many bytes.
//
// The plainest sum is not bound by that. All n additions go to one address, and the L2 does those one after the other: at one a
// clock, 2^28 of them take 0.15 s, 700 times as long as the reading. And floating-point addition is not associative: the
// order in which the threads come decides the last bits, so two runs may differ.
__global__ void sum(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}
