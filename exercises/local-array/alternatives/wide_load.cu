// All sixteen digits in one load, taken apart in registers.
__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 all = reinterpret_cast<const uint4*>(digits)[i];
  unsigned word[4] = {all.x, all.y, all.z, all.w};
  int count[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int s = 0; s < 16; ++s) {
    unsigned digit = word[s / 4] >> (8 * (s % 4)) & 255;
    for (int k = 0; k < 8; ++k) count[k] += digit == k;
  }
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = count[k];
}
