// Three kernels. Each block works on blockDim.x numbers of
// its own, at most 256. in, out: [gridDim.x * blockDim.x]

// Each block turns its numbers round.
__global__ void mirror(const int* in, int* out) {
  __shared__ int m[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  m[t] = in[i];
  out[i] = m[blockDim.x - 1 - t];
}

// How far each number is above the first one of its block.
__global__ void above(const int* in, int* out) {
  __shared__ int m[256];
  __shared__ int first;
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  m[t] = in[i];
  if (t == 0) first = m[0];
  __syncthreads();
  out[i] = m[t] - first;
}

// Each number becomes the sum of those from it to the end
// of its block, in steps of 1, 2, 4 and so on.
__global__ void rest(const int* in, int* out) {
  __shared__ int m[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  m[t] = in[i];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    int more = t + s < blockDim.x ? m[t + s] : 0;
    m[t] += more;
    __syncthreads();
  }
  out[i] = m[t];
}
