// Seven counters; what is left of sixteen are sevens. It still prints what it was given.
__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf("%d threads have digits\n", n);
  if (i >= n) return;
  int count[7] = {}, sevens = 16;
  for (int s = 0; s < 16; ++s) {
    int digit = digits[i * 16 + s];
    for (int k = 0; k < 7; ++k) count[k] += digit == k;
  }
  for (int k = 0; k < 7; ++k) {
    counts[i * 8 + k] = count[k];
    sevens -= count[k];
  }
  counts[i * 8 + 7] = sevens;
}
