// Takes hiss out of a recording: each output is a
// weighted mean of eight samples. The weights are written
// in the code. x: [n + 7], out: [n]
__device__ float mean(const float* m) {
  constexpr float c[8] = {
      1 / 32.f, 3 / 32.f, 5 / 32.f, 7 / 32.f,
      7 / 32.f, 5 / 32.f, 3 / 32.f, 1 / 32.f};
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += c[k] * m[k];
  return sum;
}

__global__ void smooth(const float* x, const float* c,
                       float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mean(x + i);
}
