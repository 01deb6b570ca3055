// Set aside with neighbours exchanged (0 and 1, 2 and 3, ...), an order of its own that only these two kernels know.
__device__ int place(int i, int n) {
  const int neighbour = i ^ 1;
  return neighbour < n ? neighbour : i;
}

template <class Move>
__device__ void each(int n, Move move) {
  if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) move(i);
}

__global__ void set_aside(const float* x, float* aside, int n) {
  each(n, [=](int i) { aside[place(i, n)] = x[i]; });
}

__global__ void put_back(const float* aside, float* x, int n) {
  each(n, [=](int i) { x[n - 1 - i] = aside[place(i, n)]; });
}
