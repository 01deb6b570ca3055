// Past one end the recording begins again at the other.
__global__ void smooth_tile(const float* x, float* out,
                            int length) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * length + t;
  if (t < length) tile[t] = x[i];
  __syncthreads();
  if (t < length) {
    float left = tile[(t + length - 1) % length];
    float right = tile[(t + 1) % length];
    out[i] = (left + 2 * tile[t] + right) / 4;
  }
}
