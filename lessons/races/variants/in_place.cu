// The same without a second array: reading[i] becomes
// what was used between the readings i and i + 1.
__global__ void in_place(int* reading, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int used = 0;
  if (i < n) used = reading[i + 1] - reading[i];
  __syncthreads();  // first all read, then all write
  if (i < n) reading[i] = used;
}
