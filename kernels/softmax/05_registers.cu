//@ idea: a block keeps its row in registers, sixteen bytes an access: x is read once
//@ defines: THREADS=256, QUADS=4
//@ only: columns <= 4 * THREADS * QUADS
//@ block: THREADS
//@ grid: rows
//@ registers: 64
//@ bytes: 8 * rows * columns
//@ flops: 5 * rows * columns

// y = exp(x - max) / (sum of the row's exp(x - max))      x, y: [rows][columns]
//
// The second reading goes, too, if what was read the first time is still at hand. 256 threads with
// QUADS groups of four words each hold 4,096 words in registers. With the whole row there the
// online trick has no use: first the maximum of all, then each exponential once, kept in place of
// its word, then one division. Maximum and sum pass from lanes to warps by shuffles and from warps
// to the block through shared memory.
//
// Few long rows are spread over more threads as well: a warp a row leaves most of a GPU idle at 100
// rows, a block does not.
#ifndef THREADS
#define THREADS 256  // a multiple of 32
#endif
#ifndef QUADS
#define QUADS 4  // groups of four words a thread
#endif
constexpr unsigned kAllLanes = 0xffffffff;
constexpr float kLowest = -3.402823466e38f;  // finite: two infinities are never subtracted

struct Maximum {
  static constexpr float kStart = kLowest;
  static __device__ float of(float a, float b) { return fmaxf(a, b); }
};
struct Sum {
  static constexpr float kStart = 0;
  static __device__ float of(float a, float b) { return a + b; }
};

// Every thread's value joined with all others'; every thread gets the result.
template <class Join>
__device__ float of_block(float value) {
  __shared__ float of_warps[THREADS / 32];
  for (int distance = 16; distance > 0; distance /= 2) {
    value = Join::of(value, __shfl_xor_sync(kAllLanes, value, distance));
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();  // all warps' values are there
  float result = Join::kStart;
  for (int warp = 0; warp < THREADS / 32; ++warp) result = Join::of(result, of_warps[warp]);
  return result;
}

__global__ void __launch_bounds__(THREADS)
    softmax(const float* x, float* y, int rows, int columns) {
  x += blockIdx.x * columns;
  y += blockIdx.x * columns;
  const bool is_aligned = (reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y)) % 16 == 0;

  // Word j of group i is column (i THREADS + thread) 4 + j. Beyond the row stands what an
  // exponential makes 0.
  float words[QUADS][4];
  float maximum = kLowest;
#pragma unroll
  for (int i = 0; i < QUADS; ++i) {
    const int first = (i * THREADS + threadIdx.x) * 4;
    if (is_aligned && first + 4 <= columns) {
      *reinterpret_cast<float4*>(words[i]) = *reinterpret_cast<const float4*>(x + first);
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) words[i][j] = first + j < columns ? x[first + j] : -INFINITY;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) maximum = fmaxf(maximum, words[i][j]);
  }
  maximum = of_block<Maximum>(maximum);

  float sum = 0;
#pragma unroll
  for (int i = 0; i < QUADS * 4; ++i) {
    float& word = words[i / 4][i % 4];
    word = expf(word - maximum);
    sum += word;
  }
  sum = of_block<Sum>(sum);

#pragma unroll
  for (int i = 0; i < QUADS; ++i) {
    const int first = (i * THREADS + threadIdx.x) * 4;
    const float4 out = {words[i][0] / sum, words[i][1] / sum, words[i][2] / sum, words[i][3] / sum};
    if (is_aligned && first + 4 <= columns) {
      *reinterpret_cast<float4*>(y + first) = out;
    } else {
      if (first < columns) y[first] = out.x;
      if (first + 1 < columns) y[first + 1] = out.y;
      if (first + 2 < columns) y[first + 2] = out.z;
      if (first + 3 < columns) y[first + 3] = out.w;
    }
  }
}
