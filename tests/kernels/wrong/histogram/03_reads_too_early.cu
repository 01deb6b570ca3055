//@ idea: adds up the bins while others still count
//@ caught: race
//@ block: 256
//@ grid: ceil_div(n, block)
//@ shared: 4 * bins
//@ zero: out

__global__ void histogram(const unsigned char* x, unsigned* out, int n, int bins) {
  extern __shared__ unsigned counts[];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i]], 1u);
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&out[bin], counts[bin]);
}
