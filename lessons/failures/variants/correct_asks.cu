// Leaves readings alone whose station is not in the list.
__global__ void correct(
    float* t, const int* station,
    const float* drift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int s = station[i];
    if (s >= 0 && s < 8) {
      t[i] -= drift[s];
    }
  }
}
