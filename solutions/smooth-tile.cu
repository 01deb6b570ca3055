// Block b smooths recording b, which has `length` samples:
//   out = (left neighbour + 2 * sample + right neighbour) / 4
// At either end the sample itself takes the place of the
// neighbour that it lacks.
// x and out: [gridDim.x][length]; length <= blockDim.x <= 256
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) tile[t] = x[i];
  // A neighbour's sample was fetched by another thread. The
  // barrier is outside the if: all threads have to reach it.
  __syncthreads();
  if (t < length) {
    float left = tile[max(t - 1, 0)];
    float right = tile[min(t + 1, length - 1)];
    out[i] = (left + 2 * tile[t] + right) / 4;
  }
}
