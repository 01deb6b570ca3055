__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  __shared__ int count[8 * 256];
  int* mine = count + threadIdx.x * 8;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 8; ++k) mine[k] = 0;
  for (int s = 0; s < 16; ++s) ++mine[digits[i * 16 + s]];
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = mine[k];
}
