// counts[i * 8 + k]: how many of thread i's digits are k
// digits: [n][16], each from 0 to 7; counts: [n][8]
__global__ void count_digits(const unsigned char* digits,
                             int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int s = 0; s < 16; ++s) {
    int digit = digits[i * 16 + s];
    // ++count[digit] would be right, but it puts count into
    // local memory. Count without that.
  }
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = count[k];
}
