//@ idea: counts in shared memory that nobody set to 0
//@ caught: uninitialised
//@ block: 256
//@ grid: ceil_div(n, block)
//@ shared: 4 * bins
//@ zero: out

__global__ void histogram(const unsigned char* x, unsigned* out, int n, int bins) {
  extern __shared__ unsigned counts[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&out[bin], counts[bin]);
}
