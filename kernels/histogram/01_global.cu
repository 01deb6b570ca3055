//@ idea: every thread adds 1 to the bin of its value, in global memory
//@ block: 256
//@ grid: ceil_div(n, block)
//@ zero: out
//@ needs: 75
//@ registers: 16
//@ bytes: n + 4 * bins
//@ flops: n

// x: [n], values below bins; out: [bins], which the host sets to 0
//
// A byte is read for one addition, so memory would let a GPU of 4.8 TB/s count 4,800 values a nanosecond. But where a value is
// counted depends on the value: many threads may want one bin at once, and `++` is a load, an addition and a store, between which
// another thread may come. An atomic addition is one thing; the L2 does it, those to one address one after the other.
//
// With 256 bins and n values that are spread evenly, each bin is hit n / 256 times. With values that are all alike (a black
// picture), one bin is hit n times: a histogram's time depends on its data.
__global__ void histogram(const unsigned char* x, unsigned* out, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[x[i]], 1u);
}
