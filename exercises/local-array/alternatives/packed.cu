// Eight counters of eight bits in one 64-bit number.
__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long count = 0;
  for (int s = 0; s < 16; ++s) count += 1ull << (8 * digits[i * 16 + s]);
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = static_cast<int>(count >> (8 * k) & 255);
}
