// Kernels that mostly move memory: streams, transposes, sums, softmax. Of the same idea and launch as those whose timings are
// published (published.toml), written for the estimate's tests.

// Streams of doubles: n is a multiple of the block.

extern "C" __global__ void stream_copy(const double* a, double* c, int n) {
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i];
}

extern "C" __global__ void stream_add(const double* a, const double* b, double* c, int n) {
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}

extern "C" __global__ void stream_triad(double* a, const double* b, const double* c, int n) {
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += gridDim.x * blockDim.x)
    a[i] = b[i] + 0.4 * c[i];
}

extern "C" __global__ void stream_dot(const double* a, const double* b, double* sums, int n) {
  __shared__ double partial[1024];
  double sum = 0;
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  partial[threadIdx.x] = sum;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

// Four words per thread: n is the number of fours.

extern "C" __global__ void fours_add(const float4* a, const float4* b, float4* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 x = a[i], y = b[i];
  c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

extern "C" __global__ void fours_relu(const float4* x, float4* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = x[i];
  y[i] = make_float4(fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0), fmaxf(v.w, 0));
}

__device__ inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }

extern "C" __global__ void fours_sigmoid(const float4* x, float4* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = x[i];
  y[i] = make_float4(sigmoid(v.x), sigmoid(v.y), sigmoid(v.z), sigmoid(v.w));
}

// Sums of two n x n matrices of 32-bit words.

extern "C" __global__ void add_down(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) c[i * n + j] = a[i * n + j] + b[i * n + j];
}

extern "C" __global__ void add_along(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) c[i * n + j] = a[i * n + j] + b[i * n + j];
}

// Transposes of an n x n matrix.

extern "C" __global__ void transpose_reads(float* to, const float* from, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) to[y + static_cast<long long>(n) * x] = from[x + static_cast<long long>(n) * y];
}

extern "C" __global__ void transpose_writes(float* to, const float* from, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) to[x + static_cast<long long>(n) * y] = from[y + static_cast<long long>(n) * x];
}

/// Reads through the read-only cache.
extern "C" __global__ void transpose_reads_cached(float* to, const float* from, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    to[y + static_cast<long long>(n) * x] = __ldg(&from[x + static_cast<long long>(n) * y]);
}

// With a thread for each word of a tile of 32 x 32.

template <int kPad, bool kSwizzled>
__device__ inline void transpose_square(float* to, const float* from, int n) {
  __shared__ float tile[32][32 + kPad];
  const int t = threadIdx.x, u = threadIdx.y;
  const int crossed = t ^ u;
  int x = blockIdx.x * 32 + t, y = blockIdx.y * 32 + u;
  if (x < n && y < n) tile[u][kSwizzled ? crossed : t] = from[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + t;
  y = blockIdx.x * 32 + u;
  if (x < n && y < n) to[y * n + x] = tile[t][kSwizzled ? crossed : u];
}

extern "C" __global__ void transpose_tiled_square(float* to, const float* from, int n) {
  transpose_square<0, false>(to, from, n);
}

extern "C" __global__ void transpose_padded_square(float* to, const float* from, int n) {
  transpose_square<1, false>(to, from, n);
}

extern "C" __global__ void transpose_swizzled_square(float* to, const float* from, int n) {
  transpose_square<0, true>(to, from, n);
}

template <int kPad>
__device__ inline void transpose_tile(float* to, const float* from, int n) {
  __shared__ float tile[32][32 + kPad];
  long long x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = from[(y + j) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < n && y + j < n) to[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

extern "C" __global__ void transpose_tiled(float* to, const float* from, int n) {
  transpose_tile<0>(to, from, n);
}

extern "C" __global__ void transpose_padded(float* to, const float* from, int n) {
  transpose_tile<1>(to, from, n);
}

extern "C" __global__ void transpose_vectors(float* to, const float* from, int n) {
  __shared__ float tile[32][33];
  const int lane = threadIdx.x * 4;
  long long x = blockIdx.x * 32 + lane, y = blockIdx.y * 32 + threadIdx.y;
  const float4 four = *reinterpret_cast<const float4*>(&from[y * n + x]);
  tile[threadIdx.y][lane + 0] = four.x;
  tile[threadIdx.y][lane + 1] = four.y;
  tile[threadIdx.y][lane + 2] = four.z;
  tile[threadIdx.y][lane + 3] = four.w;
  __syncthreads();
  x = blockIdx.y * 32 + lane;
  y = blockIdx.x * 32 + threadIdx.y;
  *reinterpret_cast<float4*>(&to[y * n + x]) =
      make_float4(tile[lane + 0][threadIdx.y], tile[lane + 1][threadIdx.y],
                  tile[lane + 2][threadIdx.y], tile[lane + 3][threadIdx.y]);
}

// Sums of n 32-bit words, one result per block.

extern __shared__ unsigned partial_sums[];

extern "C" __global__ void sum_parting(const unsigned* x, unsigned n, unsigned* y) {
  unsigned* sums = partial_sums;
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
    if (t % (2 * stride) == 0) sums[t] += t + stride < n ? sums[t + stride] : 0;
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = sums[0];
}

extern "C" __global__ void sum_adjacent(const unsigned* x, unsigned n, unsigned* y) {
  unsigned* sums = partial_sums;
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
    const unsigned index = 2 * stride * t;
    if (index < blockDim.x) sums[index] += index + stride < n ? sums[index + stride] : 0;
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = sums[0];
}

extern "C" __global__ void sum_sequential(const unsigned* x, unsigned n, unsigned* y) {
  unsigned* sums = partial_sums;
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride) sums[t] += t + stride < n ? sums[t + stride] : 0;
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = sums[0];
}

__device__ inline void load_two(const unsigned* x, unsigned n, unsigned* sums) {
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sums[t] = i < n ? x[i] : 0;
  sums[t] += i + blockDim.x < n ? x[i + blockDim.x] : 0;
  __syncthreads();
}

__device__ inline void fold_warp(volatile unsigned* sums, unsigned t) {
  sums[t] += sums[t + 32];
  sums[t] += sums[t + 16];
  sums[t] += sums[t + 8];
  sums[t] += sums[t + 4];
  sums[t] += sums[t + 2];
  sums[t] += sums[t + 1];
}

extern "C" __global__ void sum_two_loads(const unsigned* x, unsigned n, unsigned* y) {
  unsigned* sums = partial_sums;
  const unsigned t = threadIdx.x;
  load_two(x, n, sums);
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = sums[0];
}

extern "C" __global__ void sum_last_warp(const unsigned* x, unsigned n, unsigned* y) {
  unsigned* sums = partial_sums;
  const unsigned t = threadIdx.x;
  load_two(x, n, sums);
  for (unsigned stride = blockDim.x / 2; stride > 32; stride >>= 1) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t < 32) fold_warp(sums, t);
  if (t == 0) y[blockIdx.x] = sums[0];
}

extern "C" __global__ void sum_unrolled(const unsigned* x, unsigned n, unsigned* y) {
  unsigned* sums = partial_sums;
  const unsigned t = threadIdx.x;
  load_two(x, n, sums);
  if (blockDim.x >= 512 && t < 256) sums[t] += sums[t + 256];
  __syncthreads();
  if (blockDim.x >= 256 && t < 128) sums[t] += sums[t + 128];
  __syncthreads();
  if (blockDim.x >= 128 && t < 64) sums[t] += sums[t + 64];
  __syncthreads();
  if (t < 32) fold_warp(sums, t);
  if (t == 0) y[blockIdx.x] = sums[0];
}

/// Every thread adds the word that it read to one sum.
extern "C" __global__ void sum_atomic(float* to, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(to, x[i]);
}

/// Every thread reads four words at a time.
extern "C" __global__ void sum_atomic_of_four(float* to, const float4* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 four = x[i];
  atomicAdd(to, four.x + four.y + four.z + four.w);
}

// Softmax of each row.

/// One thread per row, maximum and sum in one pass.
extern "C" __global__ void softmax_row_a_thread(const float* from, float* to, int columns, int rows) {
  const long long row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = from + row * columns;
  float most = x[0], sum = 1;
  for (int i = 1; i < columns; ++i) {
    const float next = fmaxf(most, x[i]);
    sum = sum * expf(most - next) + expf(x[i] - next);
    most = next;
  }
  for (int i = 0; i < columns; ++i) to[row * columns + i] = expf(x[i] - most) / sum;
}

__device__ inline void join_warp(float& most, float& sum) {
  for (int offset = 16; offset > 0; offset >>= 1) {
    const float other = __shfl_down_sync(~0u, most, offset), more = __shfl_down_sync(~0u, sum, offset);
    const float next = fmaxf(other, most);
    sum = sum * expf(most - next) + more * expf(other - next);
    most = next;
  }
}

/// One block per row, with shuffles.
extern "C" __global__ void softmax_row_a_block(const float* from, float* to, int columns) {
  __shared__ float found[64];
  const long long begin = static_cast<long long>(blockIdx.x) * columns;
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  float most = from[begin + t], sum = 1;
  for (int i = t + blockDim.x; i < columns; i += blockDim.x) {
    const float next = fmaxf(most, from[begin + i]);
    sum = sum * expf(most - next) + expf(from[begin + i] - next);
    most = next;
  }
  join_warp(most, sum);
  if (lane == 0) {
    found[2 * warp] = most;
    found[2 * warp + 1] = sum;
  }
  __syncthreads();
  most = -3.4e38f;
  sum = 0;
  if (lane < blockDim.x / 32) {
    most = found[2 * lane];
    sum = found[2 * lane + 1];
  }
  join_warp(most, sum);
  most = __shfl_sync(~0u, most, 0);
  sum = __shfl_sync(~0u, sum, 0);
  for (int i = t; i < columns; i += blockDim.x) to[begin + i] = expf(from[begin + i] - most) / sum;
}
