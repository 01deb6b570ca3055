__global__ void count_digits(const unsigned char* digits,
                             int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = 0;
  for (int s = 0; s < 16; ++s)
    atomicAdd(&counts[i * 8 + digits[i * 16 + s]], 1);
}
