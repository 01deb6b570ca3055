// Adds `degrees` to each of n readings, in place.
__global__ void plus(float* t, float degrees, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    t[i] += degrees;
  }
}
