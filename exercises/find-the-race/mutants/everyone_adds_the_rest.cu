// Three kernels. Each block works on blockDim.x numbers of
// its own, at most 256. in, out: [gridDim.x * blockDim.x]

// Each block turns its numbers round.
__global__ void mirror(const int* in, int* out) {
  __shared__ int m[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  m[t] = in[i];
  __syncthreads();
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

__global__ void rest(const int* in, int* out) {
  int end = (blockIdx.x + 1) * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = i; k < end; ++k) sum += in[k];
  out[i] = sum;
}
