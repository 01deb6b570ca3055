// One thread works out for the block where its tap is, and the others read it in shared memory.
struct Place {
  int channel, row, column;
};

__global__ void im2col(const float* x, float* columns,
                       int h, int w, int r, int s,
                       int p, int q, int stride, int pad) {
  __shared__ Place tap;
  if (threadIdx.x == 0) {
    int number = blockIdx.y;
    tap.column = number % s - pad;
    number /= s;
    tap.row = number % r - pad;
    tap.channel = number / r;
  }
  __syncthreads();
  for (int out = blockIdx.x * blockDim.x + threadIdx.x; out < p * q;
       out += gridDim.x * blockDim.x) {
    int row = out / q * stride + tap.row, column = out % q * stride + tap.column;
    bool outside = min(row, column) < 0 || row >= h || column >= w;
    columns[blockIdx.y * p * q + out] =
        outside ? 0 : x[tap.channel * h * w + row * w + column];
  }
}
