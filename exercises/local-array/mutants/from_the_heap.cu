__global__ void count_digits(const unsigned char* digits,
                             int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* count = static_cast<int*>(malloc(8 * sizeof(int)));
  for (int k = 0; k < 8; ++k) count[k] = 0;
  for (int s = 0; s < 16; ++s) ++count[digits[i * 16 + s]];
  for (int k = 0; k < 8; ++k) counts[i * 8 + k] = count[k];
  free(count);
}
