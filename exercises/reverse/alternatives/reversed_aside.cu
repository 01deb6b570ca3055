// Reversed on the way there, so that the way back is a plain copy; by pointers, leaving early.
extern "C" __global__ void set_aside(const float* __restrict__ x, float* __restrict__ aside, int n) {
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) return;
  float* end = aside + n;
  end[-1 - i] = x[i];
}

extern "C" __global__ void put_back(const float* __restrict__ aside, float* __restrict__ x, int n) {
  const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= static_cast<unsigned>(n)) return;
  x[i] = aside[i];
}
