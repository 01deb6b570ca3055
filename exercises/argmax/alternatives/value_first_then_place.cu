// place[r] = where the largest value of row r is; of
// several the first one
// x: [rows][columns], place: [rows]; one block per row
__global__ void argmax(const float* x, int* place,
                       int columns) {
  __shared__ float largest[32];
  __shared__ int first;
  const float* row = x + (long long)blockIdx.x * columns;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float best = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    best = fmaxf(best, row[c]);
  for (int step = 16; step > 0; step /= 2)
    best = fmaxf(best, __shfl_xor_sync(0xffffffff, best, step));
  if (lane == 0) largest[warp] = best;
  if (threadIdx.x == 0) first = columns;
  __syncthreads();
  for (int w = 0; w < blockDim.x / 32; ++w)
    best = fmaxf(best, largest[w]);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    if (row[c] == best) {
      atomicMin(&first, c);
      break;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) place[blockIdx.x] = first;
}
