// Products of square matrices, row-major: C = alpha A B + beta C, sizes multiples of every tile. Kernels of the same idea, tiles and
// launches as those whose timings are published (published.toml), written for the estimate's tests; kernels/sgemm teaches.

constexpr int kEdge = 32;

/// One thread per element. Neighbouring lanes take neighbouring rows, so each of them requests a line of its own.
extern "C" __global__ void sgemm_rows(int n, float alpha, const float* a, const float* b, float beta, float* c) {
  const int row = blockIdx.x * kEdge + threadIdx.x, column = blockIdx.y * kEdge + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

/// Neighbouring lanes take neighbouring columns.
extern "C" __global__ void sgemm_columns(int n, float alpha, const float* a, const float* b, float beta,
                                         float* c) {
  const int row = blockIdx.x * kEdge + threadIdx.x / kEdge, column = blockIdx.y * kEdge + threadIdx.x % kEdge;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

/// Tiles of 32 x 32 in shared memory.
extern "C" __global__ void sgemm_tiled(int n, float alpha, const float* a, const float* b, float beta,
                                       float* c) {
  __shared__ float tile_a[kEdge * kEdge], tile_b[kEdge * kEdge];
  const int row = threadIdx.x / kEdge, column = threadIdx.x % kEdge;
  a += blockIdx.x * kEdge * n;
  b += blockIdx.y * kEdge;
  c += blockIdx.x * kEdge * n + blockIdx.y * kEdge;
  float sum = 0;
  for (int tile = 0; tile < n; tile += kEdge) {
    tile_a[row * kEdge + column] = a[row * n + column];
    tile_b[row * kEdge + column] = b[row * n + column];
    __syncthreads();
    a += kEdge;
    b += kEdge * n;
    for (int k = 0; k < kEdge; ++k) sum += tile_a[row * kEdge + k] * tile_b[k * kEdge + column];
    __syncthreads();
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

/// Each thread computes eight elements of a column: 64 x 64 per block, eight deep.
extern "C" __global__ void sgemm_column_of_eight(int n, float alpha, const float* a, const float* b,
                                                 float beta, float* c) {
  constexpr int kTile = 64, kDepth = 8, kEach = 8;
  __shared__ float tile_a[kTile * kDepth], tile_b[kDepth * kTile];
  const int column = threadIdx.x % kTile, row = threadIdx.x / kTile;
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += blockIdx.y * kTile * n + blockIdx.x * kTile;
  const int a_column = threadIdx.x % kDepth, a_row = threadIdx.x / kDepth;
  const int b_column = threadIdx.x % kTile, b_row = threadIdx.x / kTile;
  float sums[kEach] = {};
  for (int tile = 0; tile < n; tile += kDepth) {
    tile_a[a_row * kDepth + a_column] = a[a_row * n + a_column];
    tile_b[b_row * kTile + b_column] = b[b_row * n + b_column];
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
    for (int k = 0; k < kDepth; ++k) {
      const float factor = tile_b[k * kTile + column];
      for (int i = 0; i < kEach; ++i) sums[i] += tile_a[(row * kEach + i) * kDepth + k] * factor;
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) {
    float& to = c[(row * kEach + i) * n + column];
    to = alpha * sums[i] + beta * to;
  }
}

/// Each thread computes 8 x 8 elements: 128 x 128 per block, eight deep.
extern "C" __global__ void __launch_bounds__(256, 1)
    sgemm_square_of_eight(int n, float alpha, const float* a, const float* b, float beta, float* c) {
  constexpr int kTile = 128, kDepth = 8, kEach = 8, kThreads = 256;
  __shared__ float tile_a[kTile * kDepth], tile_b[kDepth * kTile];
  const int column = threadIdx.x % (kTile / kEach), row = threadIdx.x / (kTile / kEach);
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += blockIdx.y * kTile * n + blockIdx.x * kTile;
  const int a_row = threadIdx.x / kDepth, a_column = threadIdx.x % kDepth;
  const int b_row = threadIdx.x / kTile, b_column = threadIdx.x % kTile;
  float sums[kEach * kEach] = {}, left[kEach], right[kEach];
  for (int tile = 0; tile < n; tile += kDepth) {
    for (int r = 0; r < kTile; r += kThreads / kDepth)
      tile_a[(a_row + r) * kDepth + a_column] = a[(a_row + r) * n + a_column];
    for (int r = 0; r < kDepth; r += kThreads / kTile)
      tile_b[(b_row + r) * kTile + b_column] = b[(b_row + r) * n + b_column];
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
    for (int k = 0; k < kDepth; ++k) {
      for (int i = 0; i < kEach; ++i) left[i] = tile_a[(row * kEach + i) * kDepth + k];
      for (int j = 0; j < kEach; ++j) right[j] = tile_b[k * kTile + column * kEach + j];
      for (int i = 0; i < kEach; ++i) {
        for (int j = 0; j < kEach; ++j) sums[i * kEach + j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) {
    for (int j = 0; j < kEach; ++j) {
      float& to = c[(row * kEach + i) * n + column * kEach + j];
      to = alpha * sums[i * kEach + j] + beta * to;
    }
  }
}

__device__ inline void scale_four(float* to, float alpha, float beta, const float* sums) {
  float4 old = *reinterpret_cast<float4*>(to);
  old.x = alpha * sums[0] + beta * old.x;
  old.y = alpha * sums[1] + beta * old.y;
  old.z = alpha * sums[2] + beta * old.z;
  old.w = alpha * sums[3] + beta * old.w;
  *reinterpret_cast<float4*>(to) = old;
}

/// The same with loads of four floats, and the tile of A turned in shared memory.
extern "C" __global__ void sgemm_vectors(int n, float alpha, const float* a, const float* b, float beta,
                                         float* c) {
  constexpr int kTile = 128, kDepth = 8, kEach = 8;
  __shared__ float tile_a[kTile * kDepth], tile_b[kDepth * kTile];
  const int column = threadIdx.x % (kTile / kEach), row = threadIdx.x / (kTile / kEach);
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += blockIdx.y * kTile * n + blockIdx.x * kTile;
  const int a_row = threadIdx.x / (kDepth / 4), a_column = threadIdx.x % (kDepth / 4) * 4;
  const int b_row = threadIdx.x / (kTile / 4), b_column = threadIdx.x % (kTile / 4) * 4;
  float sums[kEach * kEach] = {}, left[kEach], right[kEach];
  for (int tile = 0; tile < n; tile += kDepth) {
    const float4 four = *reinterpret_cast<const float4*>(&a[a_row * n + a_column]);
    tile_a[(a_column + 0) * kTile + a_row] = four.x;
    tile_a[(a_column + 1) * kTile + a_row] = four.y;
    tile_a[(a_column + 2) * kTile + a_row] = four.z;
    tile_a[(a_column + 3) * kTile + a_row] = four.w;
    *reinterpret_cast<float4*>(&tile_b[b_row * kTile + b_column]) =
        *reinterpret_cast<const float4*>(&b[b_row * n + b_column]);
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
    for (int k = 0; k < kDepth; ++k) {
      for (int i = 0; i < kEach; ++i) left[i] = tile_a[k * kTile + row * kEach + i];
      for (int j = 0; j < kEach; ++j) right[j] = tile_b[k * kTile + column * kEach + j];
      for (int i = 0; i < kEach; ++i) {
        for (int j = 0; j < kEach; ++j) sums[i * kEach + j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) {
    for (int j = 0; j < kEach; j += 4)
      scale_four(&c[(row * kEach + i) * n + column * kEach + j], alpha, beta, &sums[i * kEach + j]);
  }
}

/// Tiles of warps: 128 x 128 per block of four warps, 16 deep; each warp 64 x 64 in four strips, each thread 8 x 4 of a strip.
extern "C" __global__ void __launch_bounds__(128)
    sgemm_warps(int n, float alpha, const float* a, const float* b, float beta, float* c) {
  constexpr int kTile = 128, kDepth = 16, kWarp = 64, kStrips = 4, kRows = 8, kColumns = 4,
                kThreads = 128, kStrip = kWarp / kStrips;
  __shared__ float tile_a[kTile * kDepth], tile_b[kDepth * kTile];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_column = warp % (kTile / kWarp), warp_row = warp / (kTile / kWarp);
  const int column = lane % (kStrip / kColumns), row = lane / (kStrip / kColumns);
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += (blockIdx.y * kTile + warp_row * kWarp) * n + blockIdx.x * kTile + warp_column * kWarp;
  const int a_row = threadIdx.x / (kDepth / 4), a_column = threadIdx.x % (kDepth / 4) * 4;
  const int b_row = threadIdx.x / (kTile / 4), b_column = threadIdx.x % (kTile / 4) * 4;
  float sums[kRows * kStrips * kColumns] = {}, left[kRows], right[kStrips * kColumns];
  for (int tile = 0; tile < n; tile += kDepth) {
    for (int r = 0; r < kTile; r += kThreads * 4 / kDepth) {
      const float4 four = *reinterpret_cast<const float4*>(&a[(a_row + r) * n + a_column]);
      tile_a[(a_column + 0) * kTile + a_row + r] = four.x;
      tile_a[(a_column + 1) * kTile + a_row + r] = four.y;
      tile_a[(a_column + 2) * kTile + a_row + r] = four.z;
      tile_a[(a_column + 3) * kTile + a_row + r] = four.w;
    }
    for (int r = 0; r < kDepth; r += kThreads / (kTile / 4))
      *reinterpret_cast<float4*>(&tile_b[(b_row + r) * kTile + b_column]) =
          *reinterpret_cast<const float4*>(&b[(b_row + r) * n + b_column]);
    __syncthreads();
    for (int k = 0; k < kDepth; ++k) {
      for (int i = 0; i < kRows; ++i)
        left[i] = tile_a[k * kTile + warp_row * kWarp + row * kRows + i];
      for (int s = 0; s < kStrips; ++s) {
        for (int j = 0; j < kColumns; ++j)
          right[s * kColumns + j] =
              tile_b[k * kTile + warp_column * kWarp + s * kStrip + column * kColumns + j];
      }
      for (int s = 0; s < kStrips; ++s) {
        for (int i = 0; i < kRows; ++i) {
          for (int j = 0; j < kColumns; ++j)
            sums[(i * kStrips + s) * kColumns + j] += left[i] * right[s * kColumns + j];
        }
      }
    }
    a += kDepth;
    b += kDepth * n;
    __syncthreads();
  }
  for (int s = 0; s < kStrips; ++s) {
    for (int i = 0; i < kRows; ++i)
      scale_four(&c[(row * kRows + i) * n + s * kStrip + column * kColumns], alpha, beta,
                 &sums[(i * kStrips + s) * kColumns]);
  }
}

/// One thread per element of an m x n product, k deep; neighbouring lanes take neighbouring columns.
extern "C" __global__ void gemm_columns(int m, int n, int depth, const float* a, const float* b, float* c) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[k * n + column];
  c[row * n + column] = sum;
}
