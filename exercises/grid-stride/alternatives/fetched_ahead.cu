// The next element is fetched before this one is stored.
__global__ void scale(int n, float a, float* x) {
  int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float next = i < n ? x[i] : 0;
  while (i < n) {
    float now = next;
    if (i + step < n) next = x[i + step];
    x[i] = a * now;
    i += step;
  }
}
