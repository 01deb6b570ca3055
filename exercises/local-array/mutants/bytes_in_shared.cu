__global__ void count_digits(const unsigned char* digits,
                             int* counts, int n) {
  __shared__ unsigned char count[8][1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 8; ++k) count[k][threadIdx.x] = 0;
  for (int s = 0; s < 16; ++s) ++count[digits[i * 16 + s]][threadIdx.x];
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = count[k][threadIdx.x];
}
