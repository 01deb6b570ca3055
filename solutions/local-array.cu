// counts[i * 8 + k]: how many of thread i's digits are k
// digits: [n][16], each from 0 to 7; counts: [n][8]
__global__ void count_digits(const unsigned char* digits,
                             int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int s = 0; s < 16; ++s) {
    int digit = digits[i * 16 + s];
    // An index that only the run knows needs an address, and
    // so the array would be in local memory. Here every k is
    // known: the compiler unrolls the loop and gives each
    // counter a register. (Inside `if (digit == k)` it would
    // notice that k is digit, and use count[digit] again.)
    for (int k = 0; k < 8; ++k) count[k] += digit == k;
  }
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = count[k];
}
