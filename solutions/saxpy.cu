// y[i] = a * x[i] + y[i], i from 0 to n - 1
// x, y: [n]
__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // Nobody else touches y[i].
    y[i] = a * x[i] + y[i];
  }
}
