__global__ void count_digits(const unsigned char* digits,
                             int* counts, int n) {
  int all = blockIdx.x * blockDim.x + threadIdx.x;
  if (all >= n) return;
  unsigned short i = all;
  int count[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int s = 0; s < 16; ++s) {
    int digit = digits[i * 16 + s];
    for (int k = 0; k < 8; ++k) count[k] += digit == k;
  }
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = count[k];
}
