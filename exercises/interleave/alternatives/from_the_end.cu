// The last element first, and the lanes of a warp the other way round.
__global__ void amplify(const float* in, float* out, int n, float gain) {
  const int threads = gridDim.x * blockDim.x;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int rounds = (n + threads - 1) / threads;
  for (int k = rounds - 1; k >= 0; --k) {
    const int i = k * threads + (t ^ 31);
    if (i < n) out[i] = static_cast<float>(static_cast<double>(gain) * in[i]);
  }
}
