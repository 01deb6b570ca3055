__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  unsigned char d[16];
  for (int s = 0; s < 16; ++s) d[s] = digits[i * 16 + s];
  #pragma unroll 1
  for (int s = 0; s < 16; ++s) {
    #pragma unroll
    for (int k = 0; k < 8; ++k) count[k] += d[s] == k;
  }
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = count[k];
}
