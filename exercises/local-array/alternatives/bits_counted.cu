// A bit for each place where a digit stands, and at the end the number of bits.
__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned places[8] = {};
#pragma unroll
  for (int s = 0; s < 16; ++s) {
    int digit = digits[i * 16 + s];
#pragma unroll
    for (int k = 0; k < 8; ++k) places[k] |= unsigned(digit == k) << s;
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = __popc(places[k]);
}
