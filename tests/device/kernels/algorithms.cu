// Textbook algorithms as students write them, each of another shape of waiting, sharing or counting.

// A sum in three kernels' worth of patterns: grid-stride loop, shared tree, and the last block to finish adds up.
__device__ unsigned blocks_done = 0;

template <class T>
__global__ void sum_last_block(const T* x, volatile T* partial, T* total, int n) {
  extern __shared__ unsigned char bytes[];
  T* tree = reinterpret_cast<T*>(bytes);
  __shared__ bool last;
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  tree[threadIdx.x] = mine;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = tree[0];
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    T sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += partial[b];
    *total = sum;
  }
}
template __global__ void sum_last_block<int>(const int*, volatile int*, int*, int);
template __global__ void sum_last_block<double>(const double*, volatile double*, double*, int);

// Hillis and Steele: inclusive, one block, two buffers.
__global__ void scan_hillis_steele(const int* x, int* y, int n) {
  extern __shared__ int two[];
  int from = 0, t = threadIdx.x;
  two[t] = t < n ? x[t] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    const int to = blockDim.x - from;
    two[to + t] = t >= d ? two[from + t] + two[from + t - d] : two[from + t];
    from = to;
    __syncthreads();
  }
  if (t < n) y[t] = two[from + t];
}

// Blelloch: exclusive, two elements a thread, padded so that the tree has no bank conflicts.
__device__ int padded(int i) { return i + i / 32; }
__global__ void scan_blelloch(const int* x, int* y, int n) {
  extern __shared__ int tree[];
  const int t = threadIdx.x, all = 2 * blockDim.x;
  for (int i = t; i < all; i += blockDim.x) tree[padded(i)] = i < n ? x[i] : 0;
  int step = 1;
  for (int d = all / 2; d > 0; d /= 2, step *= 2) {
    __syncthreads();
    if (t < d) tree[padded(step * (2 * t + 2) - 1)] += tree[padded(step * (2 * t + 1) - 1)];
  }
  if (t == 0) tree[padded(all - 1)] = 0;
  for (int d = 1; d < all; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      const int a = padded(step * (2 * t + 1) - 1), b = padded(step * (2 * t + 2) - 1);
      const int left = tree[a];
      tree[a] = tree[b];
      tree[b] += left;
    }
  }
  __syncthreads();
  for (int i = t; i < all && i < n; i += blockDim.x) y[i] = tree[padded(i)];
}

// Decoupled look-back: each block waits, spinning, for what stands before it. Status in the high word: 1 the
// block's own sum, 2 the sum of all up to it.
__global__ void scan_look_back(const int* x, int* y, unsigned long long* status, unsigned* ticket, int n) {
  __shared__ int block_index, before;
  __shared__ int sums[32];
  if (threadIdx.x == 0) block_index = atomicAdd(ticket, 1);
  __syncthreads();
  const int b = block_index, i = b * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = i < n ? x[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) value += left;
  }
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value += sums[w];
  if (threadIdx.x == blockDim.x - 1) {
    volatile unsigned long long* cell = status;
    int sum = 0;
    if (b > 0) {
      cell[b] = 1ull << 32 | static_cast<unsigned>(value);
      __threadfence();
      for (int at = b - 1; at >= 0; --at) {
        unsigned long long seen;
        do seen = cell[at]; while (seen >> 32 == 0);
        sum += static_cast<int>(static_cast<unsigned>(seen));
        if (seen >> 32 == 2) break;
      }
    }
    cell[b] = 2ull << 32 | static_cast<unsigned>(sum + value);
    __threadfence();
    before = sum;
  }
  __syncthreads();
  if (i < n) y[i] = before + value;
}

__global__ void sort_bitonic(unsigned* keys, int n) {
  extern __shared__ unsigned held[];
  const int t = threadIdx.x;
  held[t] = t < n ? keys[t] : 0xffffffffu;
  __syncthreads();
  for (int size = 2; size <= blockDim.x; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int other = t ^ stride;
      if (other > t) {
        const bool up = (t & size) == 0;
        const unsigned a = held[t], b = held[other];
        if ((a > b) == up) held[t] = b, held[other] = a;
      }
      __syncthreads();
    }
  }
  if (t < n) keys[t] = held[t];
}

template <int kPad>
__global__ void transpose_tiled(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][32 + kPad];
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    const int y = blockIdx.y * 32 + k;
    if (x < width && y < height) tile[k][threadIdx.x] = in[y * width + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    const int y = blockIdx.x * 32 + k;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][k];
  }
}
template __global__ void transpose_tiled<0>(const float*, float*, int, int);
template __global__ void transpose_tiled<1>(const float*, float*, int, int);

template <int kTile>
__global__ void __launch_bounds__(kTile * kTile) gemm_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int at = 0; at < k; at += kTile) {
    as[threadIdx.y][threadIdx.x] = row < m && at + threadIdx.x < k ? a[row * k + at + threadIdx.x] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = column < n && at + threadIdx.y < k ? b[(at + threadIdx.y) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
template __global__ void gemm_tiled<16>(const float*, const float*, float*, int, int, int);
template __global__ void gemm_tiled<7>(const float*, const float*, float*, int, int, int);

// Bins in shared memory, then one atomic a bin and block.
__global__ void histogram(const unsigned char* x, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    if (own[i]) atomicAdd(&bins[i], own[i]);
  }
}

// Seven points in three dimensions; the weights come by value, a bias from constant memory.
struct Weights {
  float centre, side;
  short dimensions[3];
};
__constant__ float bias[2] = {0.25f, -1.5f};
__global__ void stencil(const float* in, float* out, Weights w) {
  const int nx = w.dimensions[0], ny = w.dimensions[1], nz = w.dimensions[2];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  auto at = [&](int i, int j, int k) {
    return i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz ? bias[(i + j + k) & 1] : in[(k * ny + j) * nx + i];
  };
  out[(z * ny + y) * nx + x] = w.centre * at(x, y, z) +
                               w.side * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                                         at(x, y, z - 1) + at(x, y, z + 1));
}

__global__ void mandelbrot(unsigned short* image, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const double cx = -2.0 + 3.0 * x / width, cy = -1.2 + 2.4 * y / height;
  double a = 0, b = 0;
  int k = 0;
  while (k < most && a * a + b * b <= 4) {
    const double next = a * a - b * b + cx;
    b = 2 * a * b + cy;
    a = next;
    ++k;
  }
  image[y * width + x] = k;
}

// One warp a row, in one pass: the running maximum and the sum scaled by it.
__global__ void softmax_online(const float* x, float* y, int columns) {
  const float* row = x + blockIdx.x * columns;
  float most = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < columns; i += 32) {
    const float v = row[i], now = fmaxf(most, v);
    sum = sum * expf(most - now) + expf(v - now);
    most = now;
  }
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, most, d), part = __shfl_xor_sync(0xffffffffu, sum, d);
    const float now = fmaxf(most, other);
    sum = (most == -INFINITY ? 0 : sum * expf(most - now)) + (other == -INFINITY ? 0 : part * expf(other - now));
    most = now;
  }
  for (int i = threadIdx.x; i < columns; i += 32) y[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

// One level of a breadth-first search over rows of edges; the next frontier grows by an atomic counter.
__global__ void bfs_level(const int* begin, const int* edges, int* distance, const int* frontier, int frontier_size,
                          int* next, int* next_size, int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  const int node = frontier[i];
  for (int e = begin[node]; e < begin[node + 1]; ++e) {
    if (atomicCAS(&distance[edges[e]], -1, level) == -1) next[atomicAdd(next_size, 1)] = edges[e];
  }
}

// Every thread takes one lock, lanes of a warp against each other and blocks against blocks.
__global__ void count_under_lock(int* lock, volatile long long* count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *count += threadIdx.x + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
// The same in the form that hangs on GPUs without independent threads.
__global__ void count_under_plain_lock(int* lock, volatile long long* count) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  *count += threadIdx.x + 1;
  __threadfence();
  atomicExch(lock, 0);
}
