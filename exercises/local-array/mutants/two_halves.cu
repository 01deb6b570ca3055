__global__ void count_digits(const unsigned char* digits,
                             int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const volatile unsigned char* own = digits + i * 16;
  for (int first = 0; first < 8; first += 4) {
    int count[4] = {0, 0, 0, 0};
    for (int s = 0; s < 16; ++s) {
      int digit = own[s] - first;
      for (int k = 0; k < 4; ++k) count[k] += digit == k;
    }
    for (int k = 0; k < 4; ++k) counts[i * 8 + first + k] = count[k];
  }
}
