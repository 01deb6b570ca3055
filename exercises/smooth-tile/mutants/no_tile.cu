// Every neighbour is read from global memory.
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  __syncthreads();
  if (t < length) {
    float left = x[i - (t > 0)];
    float right = x[i + (t + 1 < length)];
    out[i] = (left + 2 * x[i] + right) / 4;
  }
}
