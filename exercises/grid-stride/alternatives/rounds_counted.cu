// The number of rounds first, then a loop that counts them.
__global__ void scale(int n, float a, float* x) {
  const long long threads = (long long)gridDim.x * blockDim.x;
  const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const long long rounds = t < n ? (n - t - 1) / threads + 1 : 0;
  for (long long k = 0; k < rounds; ++k) x[t + k * threads] *= a;
}
