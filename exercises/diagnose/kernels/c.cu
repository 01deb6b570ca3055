// A quarter of the lanes goes through a long calculation.
__global__ void mystery(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (i % 4 == 0) {
    float w = 1;
    for (int k = 0; k < 2000; ++k) {
      w = w * 0.25f + v;
      v = v * 0.5f + k;
    }
    v += w;
  }
  float largest = v;
  for (int step = 16; step > 0; step /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, step));
  if (threadIdx.x % 32 == 0) atomicAdd(out + i / 32 % 64, largest);
}
