__global__ void amplify(const float* in, float* out, int n,
                        float gain) {
  // Each block has a part of the array in one piece; within it the threads take turns. A part begins at a whole sector.
  int part = ((n + gridDim.x - 1) / gridDim.x + 31) / 32 * 32;
  int end = min(n, (int(blockIdx.x) + 1) * part);
  for (int i = blockIdx.x * part + threadIdx.x; i < end; i += blockDim.x) out[i] = gain * in[i];
}
