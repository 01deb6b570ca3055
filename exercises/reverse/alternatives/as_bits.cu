// The values travel as integers, turned over in all bits and back again.
__global__ void set_aside(const float* x, float* aside, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) aside[i] = __int_as_float(~__float_as_int(x[i]));
}

__global__ void put_back(const float* aside, float* x, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[n - 1 - i] = __int_as_float(~__float_as_int(aside[i]));
}
