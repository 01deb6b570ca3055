// Four digits at a time are compared in one instruction; there is no array at all.
__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 own = reinterpret_cast<const uint4*>(digits)[i];
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned wanted = k * 0x01010101u;
    const int bits = __popc(__vcmpeq4(own.x, wanted)) + __popc(__vcmpeq4(own.y, wanted)) +
                     __popc(__vcmpeq4(own.z, wanted)) + __popc(__vcmpeq4(own.w, wanted));
    counts[i * 8 + k] = bits / 8;
  }
}
