__global__ void grow(const int* cells, int* out, int rounds) {
  __shared__ unsigned row[2][10];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int n = blockDim.x, w = t / 32, lane = t % 32;
  unsigned mask = w == (n - 1) / 32 && n % 32 ? (1u << n % 32) - 1 : ~0u;
  int mine = cells[i];
  for (int r = 0; r < rounds; ++r) {
    unsigned word = __ballot_sync(mask, mine);
    if (lane == 0) row[r % 2][w] = word;
    __syncthreads();
    int left = lane ? word >> (lane - 1) & 1 : w ? row[r % 2][w - 1] >> 31 : 0;
    int right = t + 1 == n ? 0 : lane < 31 ? word >> (lane + 1) & 1 : row[r % 2][w + 1] & 1;
    mine = left ^ right;
  }
  out[i] = mine;
}
