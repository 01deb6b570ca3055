// sums[k] = the sum of the 256 values of x from 256 * k on,
// folded: halves of 128, 64, ..., 1 values
// x: [n], sums: [ceil(n / 256)]; 16 lanes a stretch, 16 values a lane
__global__ void folded_sums(const float* x, float* sums,
                            int n) {
  long long stretches = (n + 255LL) / 256;
  int lane = threadIdx.x % 16;
  long long groups = (long long)gridDim.x * blockDim.x / 16;
  long long first =
      ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 16;
  // All lanes take part in every shuffle, so all have as many rounds.
  long long rounds = (stretches + groups - 1) / groups;
  for (long long r = 0; r < rounds; ++r) {
    long long k = first + r * groups;
    float own[16];
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      long long place = k * 256 + j * 16 + lane;
      own[j] = place < n ? x[place] : 0.f;
    }
#pragma unroll
    for (int s = 8; s > 0; s >>= 1)
#pragma unroll
      for (int j = 0; j < s; ++j) own[j] = own[j] + own[j + s];
    float sum = own[0];
    for (int s = 8; s > 0; s >>= 1)
      sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (lane == 0 && k < stretches) sums[k] = sum;
  }
}
