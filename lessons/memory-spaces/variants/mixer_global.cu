// CHANNELS microphones take turns: sample i belongs to
// microphone i % CHANNELS, which has eight weights of its
// own. x: [n + 7 * CHANNELS], c: [CHANNELS][8], out: [n]
__global__ void mixer(const float* x, const float* c,
                      float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* own = c + i % CHANNELS * 8;
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += own[k] * x[i + k * CHANNELS];
  out[i] = sum;
}
