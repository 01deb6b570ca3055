__global__ void mirror(const int* in, int* out) {
  __shared__ int m[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  m[t] = in[i];
  __syncthreads();
  out[i] = m[blockDim.x - 1 - t];
}

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
  __shared__ int m[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int from = 0;
  m[0][t] = in[i];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    int more = t + s < blockDim.x ? m[from][t + s] : 0;
    m[1 - from][t] = m[from][t] + more;
    from = 1 - from;
    __syncthreads();
  }
  out[i] = m[from][t];
}
