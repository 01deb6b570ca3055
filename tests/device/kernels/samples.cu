// Kernels of the kind that public samples show, each of another pattern.

// Least significant digit first, one bit a round, one block: ballots give each key its place.
__global__ void sort_radix(unsigned* keys, int n) {
  extern __shared__ unsigned held[];
  __shared__ unsigned zeros[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
  unsigned key = t < n ? keys[t] : 0xffffffffu;
  for (int bit = 0; bit < 32; ++bit) {
    const unsigned ones = __ballot_sync(~0u, key >> bit & 1);
    if (lane == 0) zeros[warp] = 32 - __popc(ones);
    __syncthreads();
    unsigned before = 0, all = 0;
    for (int w = 0; w < warps; ++w) {
      before += w < warp ? zeros[w] : 0;
      all += zeros[w];
    }
    const unsigned own_zeros = before + __popc(~ones & ((1u << lane) - 1));
    held[key >> bit & 1 ? all + t - own_zeros : own_zeros] = key;
    __syncthreads();
    key = held[t];
  }
  if (t < n) keys[t] = key;
}

// All pairs, a tile of bodies at a time in shared memory.
__global__ void gravity(const float4* bodies, float3* pull, int n) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : float4{};
  float3 sum = {};
  for (int from = 0; from < n; from += blockDim.x) {
    tile[threadIdx.x] = from + threadIdx.x < n ? bodies[from + threadIdx.x] : float4{};
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const float4 b = tile[k];
      const float x = b.x - me.x, y = b.y - me.y, z = b.z - me.z, far = rsqrtf(x * x + y * y + z * z + 0.01f);
      const float by = b.w * far * far * far;
      sum.x += by * x, sum.y += by * y, sum.z += by * z;
    }
    __syncthreads();
  }
  if (i < n) pull[i] = sum;
}

// A table with open addressing: keys are claimed by atomicCAS, counts added up.
__global__ void count_words(const unsigned* words, int n, unsigned* keys, unsigned* counts, unsigned slots) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at = words[i] * 2654435761u % slots;
  while (true) {
    const unsigned seen = atomicCAS(&keys[at], 0, words[i]);
    if (seen == 0 || seen == words[i]) break;
    at = (at + 1) % slots;
  }
  atomicAdd(&counts[at], 1);
}

// What is positive, in order: a warp's ballot, then one atomic a warp would lose the order, so warps take turns by a scan.
__global__ void compact(const int* x, int* y, int* count, int n) {
  __shared__ int warps[32];
  const int t = threadIdx.x, lane = t % 32;
  int done = 0;
  for (int from = 0; from < n; from += blockDim.x) {
    const bool keep = from + t < n && x[from + t] > 0;
    const unsigned kept = __ballot_sync(~0u, keep);
    if (lane == 0) warps[t / 32] = __popc(kept);
    __syncthreads();
    int before = done, all = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) before += w < t / 32 ? warps[w] : 0, all += warps[w];
    if (keep) y[before + __popc(kept & ((1u << lane) - 1))] = x[from + t];
    done += all;
    __syncthreads();
  }
  if (t == 0) *count = done;
}

// Rows of a sparse matrix: a thread each, and a warp each.
__global__ void sparse_scalar(const int* begin, const int* column, const float* value, const float* x, float* y, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int k = begin[r]; k < begin[r + 1]; ++k) sum += value[k] * x[column[k]];
  y[r] = sum;
}
__global__ void sparse_vector(const int* begin, const int* column, const float* value, const float* x, float* y, int rows) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float sum = 0;
  for (int k = begin[r] + lane; k < begin[r + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) y[r] = sum;
}

// Radix 2, decimation in time, one block for 256 points: bits reversed, then eight rounds of butterflies.
__global__ void fourier(const float2* x, float2* y) {
  __shared__ float2 held[256];
  const int t = threadIdx.x;
  for (int i = t; i < 256; i += 128) held[__brev(i) >> 24] = x[i];
  __syncthreads();
  for (int half = 1; half < 256; half *= 2) {
    const int k = t % half, low = t / half * 2 * half + k;
    float s, c;
    sincospif(-static_cast<float>(k) / half, &s, &c);
    const float2 a = held[low], b = held[low + half], turned = {b.x * c - b.y * s, b.x * s + b.y * c};
    held[low] = {a.x + turned.x, a.y + turned.y};
    held[low + half] = {a.x - turned.x, a.y - turned.y};
    __syncthreads();
  }
  for (int i = t; i < 256; i += 128) y[i] = held[i];
}

// Local alignment along anti-diagonals, which wait for two before them.
__global__ void align(const char* a, const char* b, int na, int nb, int* best) {
  extern __shared__ int rows[];  // three diagonals, then the maximum
  int* now = rows;
  int* last = rows + na + 1;
  int* second = rows + 2 * (na + 1);
  int* most = rows + 3 * (na + 1);
  for (int i = threadIdx.x; i < 3 * (na + 1) + 1; i += blockDim.x) rows[i] = 0;
  __syncthreads();
  for (int d = 2; d <= na + nb; ++d) {
    for (int i = threadIdx.x + 1; i <= na; i += blockDim.x) {
      const int j = d - i;
      if (j < 1 || j > nb) {
        now[i] = 0;
        continue;
      }
      const int score = max(max(0, second[i - 1] + (a[i - 1] == b[j - 1] ? 3 : -3)), max(last[i], last[i - 1]) - 2);
      now[i] = score;
      atomicMax(most, score);
    }
    __syncthreads();
    int* free = second;
    second = last, last = now, now = free;
  }
  if (threadIdx.x == 0) *best = *most;
}

__constant__ unsigned crc_table[256];
__global__ void make_crc_table(unsigned* table) {
  unsigned c = threadIdx.x;
  for (int k = 0; k < 8; ++k) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  table[threadIdx.x] = c;
}
// A check sum a message; the table from constant memory, indexed differently by each lane.
__global__ void crc(const unsigned char* messages, int bytes, unsigned* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned c = ~0u;
  for (int k = 0; k < bytes; ++k) c = crc_table[(c ^ messages[i * bytes + k]) & 255] ^ c >> 8;
  sums[i] = ~c;
}

// Conway's game on a torus of bytes; one generation.
__global__ void live(const unsigned char* now, unsigned char* next, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int around = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      if (i || j) around += now[(y + j + height) % height * width + (x + i + width) % width];
  next[y * width + x] = around == 3 || (around == 2 && now[y * width + x]);
}

// A small positive definite matrix a block; its lower triangle in place.
__global__ void cholesky(double* matrices, int n) {
  extern __shared__ double a[];
  double* own = matrices + blockIdx.x * n * n;
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) a[i] = own[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x == 0) a[k * n + k] = sqrt(a[k * n + k]);
    __syncthreads();
    for (int r = k + 1 + threadIdx.x; r < n; r += blockDim.x) a[r * n + k] /= a[k * n + k];
    __syncthreads();
    for (int i = threadIdx.x; i < (n - k - 1) * (n - k - 1); i += blockDim.x) {
      const int r = k + 1 + i / (n - k - 1), c = k + 1 + i % (n - k - 1);
      if (c <= r) a[r * n + c] -= a[r * n + k] * a[c * n + k];
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) own[i] = i % n <= i / n ? a[i] : 0;
}

// European options by the closed formula.
__global__ void black_scholes(const float* price, const float* strike, const float* years, float* call, float* put, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float rate = 0.02f, swing = 0.3f, root = sqrtf(years[i]);
  const float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * swing * swing) * years[i]) / (swing * root);
  const float d2 = d1 - swing * root, later = strike[i] * expf(-rate * years[i]);
  call[i] = price[i] * normcdff(d1) - later * normcdff(d2);
  put[i] = later * normcdff(-d2) - price[i] * normcdff(-d1);
}
