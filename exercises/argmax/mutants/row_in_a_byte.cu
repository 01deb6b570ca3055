// Lane 0 gets the best of its warp: the larger value, and of
// equal ones that in front.
__device__ void warp_best(float& best, int& at) {
  for (int step = 16; step > 0; step /= 2) {
    float other = __shfl_down_sync(0xffffffff, best, step);
    int there = __shfl_down_sync(0xffffffff, at, step);
    if (other > best || (other == best && there < at)) {
      best = other;
      at = there;
    }
  }
}

// place[r] = where the largest value of row r is; of
// several the first one
// x: [rows][columns], place: [rows]; one block per row
__global__ void argmax(const float* x, int* place,
                       int columns) {
  __shared__ float best_of[32];  // one for each warp
  __shared__ int place_of[32];
  unsigned char r = blockIdx.x;
  const float* row = x + (long long)r * columns;
  // Who has no column yet is beaten by everyone who has.
  float best = -INFINITY;
  int at = columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    if (row[c] > best || at == columns) {
      best = row[c];
      at = c;
    }
  }
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  warp_best(best, at);
  if (lane == 0) {
    best_of[warp] = best;
    place_of[warp] = at;
  }
  __syncthreads();  // the first warp reads what the others have stored
  if (warp == 0) {
    bool is_warp = lane < blockDim.x / 32;
    best = is_warp ? best_of[lane] : -INFINITY;
    at = is_warp ? place_of[lane] : columns;
    warp_best(best, at);
    if (lane == 0) place[blockIdx.x] = at;
  }
}
