// Lane i brings the number i. Row 0 holds what the
// lanes bring, row r what their sums are after r
// rounds of shuffles.
// sums: [6][32], for one warp
__global__ void rounds(float* sums) {
  const int lane = threadIdx.x;
  float mine = lane;
  sums[lane] = mine;
  for (int distance = 16; distance > 0;
       distance /= 2) {
    mine += __shfl_xor_sync(~0u, mine, distance);
    sums += 32;
    sums[lane] = mine;
  }
}
