// The last particle first, and 128 bits as four integers, past the cache's usual way.
__global__ void split(const float* particles, float* x,
                      float* y, float* z, float* mass, int n) {
  int i = int(gridDim.x * blockDim.x) - 1 - int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  int4 bits = __ldcs(reinterpret_cast<const int4*>(particles) + i);
  __stcs(x + i, __int_as_float(bits.x));
  __stcs(y + i, __int_as_float(bits.y));
  __stcs(z + i, __int_as_float(bits.z));
  __stcs(mass + i, __int_as_float(bits.w));
}
