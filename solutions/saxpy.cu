// y[i] = a * x[i] + y[i], i from 0 to n - 1
// x, y: [n]
__global__ void saxpy(int n, float a,
                      const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // No other thread accesses y[i], so it can be read and written in place.
    y[i] = a * x[i] + y[i];
  }
}
