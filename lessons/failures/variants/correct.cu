// Takes away by how much a thermometer is wrong.
__global__ void correct(
    float* t, const int* station,
    const float* drift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    t[i] -= drift[station[i]];
  }
}
