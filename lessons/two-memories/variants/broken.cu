// Looks for a reading that no thermometer can have, and marks the table if there is one.
__global__ void find_broken(float* t, float, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && t[i] < -100) {
    t[0] = -1000;
  }
}
