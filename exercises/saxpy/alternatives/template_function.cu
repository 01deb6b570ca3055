// The arithmetic in a function object of its own; the index by a helper that knows nothing of saxpy.
struct Axpy {
  float a;
  __device__ float operator()(float x, float y) const { return __fadd_rn(__fmul_rn(a, x), y); }
};

template <class Combine>
__device__ void each(int n, const float* x, float* y, Combine combine) {
  if (const int i = blockDim.x * blockIdx.x + threadIdx.x; i < n) y[i] = combine(x[i], y[i]);
}

__global__ void saxpy(int n, float a, const float* x, float* y) {
  each(n, x, y, Axpy{a});
}
