// x[i] becomes what x[n - 1 - i] was, by two launches:
//   set_aside<<<blocks, threads>>>(x, aside, n);
//   put_back<<<blocks, threads>>>(aside, x, n);
// x, aside: [n]
__global__ void set_aside(const float* x, float* aside,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    aside[i] = x[i];
  }
}

__global__ void put_back(const float* aside, float* x,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // Another block set this element aside. It has finished, because its launch ended before this
    // one began.
    x[i] = aside[n - 1 - i];
  }
}
