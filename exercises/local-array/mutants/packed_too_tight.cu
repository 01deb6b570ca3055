// Eight counters of four bits in one number: sixteen equal digits do not fit.
__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned count = 0;
  for (int s = 0; s < 16; ++s) count += 1u << (4 * digits[i * 16 + s]);
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = count >> (4 * k) & 15;
}
