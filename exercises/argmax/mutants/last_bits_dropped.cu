__device__ void join(float& v, int& p) {
  for (int d = 16; d; d /= 2) {
    float ov = __shfl_down_sync(~0u, v, d);
    int op = __shfl_down_sync(~0u, p, d);
    if (ov > v || (ov == v && op < p)) { v = ov; p = op; }
  }
}

__global__ void argmax(const float* x, int* place, int columns) {
  const float* row = x + (long long)blockIdx.x * columns;
  __shared__ float vs[32];
  __shared__ int ps[32];
  int t = threadIdx.x;

  float v = -INFINITY; int p = t < columns ? t : 0x7fffffff;
  for (int c = t; c < columns; c += blockDim.x) {
    float z = __int_as_float(__float_as_int(row[c]) & 0xfffffff0);
    if (z > v) { v = z; p = c; }
  }
  join(v, p);
  if (t % 32 == 0) { vs[t / 32] = v; ps[t / 32] = p; }
  __syncthreads();
  if (t < 32) {
    bool there = t < blockDim.x / 32;
    v = there ? vs[t] : -INFINITY; p = there ? ps[t] : 0x7fffffff;
    join(v, p);
    if (t == 0) place[blockIdx.x] = p;
  }
}
