// How loud is each stretch of 32 samples, and how many
// of them are louder than 1? One warp, one stretch.
// n is a multiple of 32.
__global__ void meter(const float* x, float* energy,
                      int* loud, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = x[i];
  float sum = s * s;
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  unsigned votes =
      __ballot_sync(0xffffffff, fabsf(s) > 1);
  if (i % 32 == 0) {
    energy[i / 32] = sum;
    loud[i / 32] = __popc(votes);
  }
}
