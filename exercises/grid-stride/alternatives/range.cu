// The stride as a range that a loop can go through, and pointers that walk.
struct Strided {
  float* at;
  size_t step;
  __device__ float& operator*() const { return *at; }
  __device__ Strided& operator++() {
    at += step;
    return *this;
  }
  __device__ bool operator!=(const Strided& end) const { return at < end.at; }
};

struct OwnElements {
  float* x;
  int n;
  __device__ Strided begin() const {
    return {x + (blockIdx.x * blockDim.x + threadIdx.x), size_t(blockDim.x) * gridDim.x};
  }
  __device__ Strided end() const { return {x + n, 0}; }
};

__global__ void scale(int n, float a, float* x) {
  for (float& value : OwnElements{x, n}) value = __fmul_rn(value, a);
}
