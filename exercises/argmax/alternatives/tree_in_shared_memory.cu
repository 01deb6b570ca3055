// place[r] = where the largest value of row r is; of
// several the first one
// x: [rows][columns], place: [rows]; one block per row
__global__ void argmax(const float* x, int* place,
                       int columns) {
  __shared__ float best_of[1024];
  __shared__ int place_of[1024];
  const float* row = x + (long long)blockIdx.x * columns;
  int t = threadIdx.x;
  int at = min(t, columns - 1);
  for (int c = t + blockDim.x; c < columns; c += blockDim.x) {
    if (row[c] > row[at]) at = c;
  }
  best_of[t] = row[at];
  place_of[t] = at;
  __syncthreads();
  for (int s = 512; s > 0; s /= 2) {
    if (t < s && t + s < blockDim.x) {
      float other = best_of[t + s];
      int there = place_of[t + s];
      if (other > best_of[t] ||
          (other == best_of[t] && there < place_of[t])) {
        best_of[t] = other;
        place_of[t] = there;
      }
    }
    __syncthreads();
  }
  if (t == 0) place[blockIdx.x] = place_of[0];
}
