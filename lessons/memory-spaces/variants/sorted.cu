// Takes clicks out of a recording: each output is
// the median of five samples. x: [n + 4], out: [n]
__global__ void declick(const float* x, float* out,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w[5];
  for (int k = 0; k < 5; ++k) w[k] = x[i + k];
  for (int k = 1; k < 5; ++k) {  // insertion sort
    float sample = w[k];
    int j = k;
    for (; j > 0 && w[j - 1] > sample; --j)
      w[j] = w[j - 1];
    w[j] = sample;
  }
  out[i] = w[2];
}
