//@ idea: a warp a row finds softmax, loss and hit in one go; one block then adds up the rows
//@ defines: WARPS=4
//@ registers: 48
//@ bytes: 8 * rows * columns + 4 * rows
//@ flops: 6 * rows * columns
//@ workspace: losses f32[rows]
//@ workspace: row_hits i32[rows]
//@ launch: cross_entropy_rows(x, label, y, losses, row_hits, rows, columns)
//@ block: 32, WARPS
//@ grid: ceil_div(rows, WARPS)
//@ launch: mean_of_rows(losses, row_hits, loss, hits, rows)
//@ block: 256
//@ grid: 1

// y = softmax(x), loss = the mean of -log(y[label]), hits = how many labels have the largest word
// x, y: [rows][columns], label: [rows], loss, hits: [1]
//
// -log(exp(x - max) / sum) is log(sum) - (x - max): no division, and no logarithm of a probability
// that has become 0. y is kept for the backward pass, which needs nothing else.
#ifndef WARPS
#define WARPS 4  // rows a block
#endif
constexpr unsigned kAllLanes = 0xffffffff;

__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

__global__ void cross_entropy_rows(const float* x, const int* label, float* y, float* losses,
                                   int* row_hits, int rows, int columns) {
  const int lane = threadIdx.x, row = blockIdx.x * WARPS + threadIdx.y;
  if (row >= rows) return;  // the whole warp: the shuffles below miss nobody
  x += row * columns;
  y += row * columns;

  // The largest word, and the first column that has it.
  float maximum = -INFINITY;
  int first = columns;
  for (int column = lane; column < columns; column += 32) {
    if (x[column] > maximum) {
      maximum = x[column];
      first = column;
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_xor_sync(kAllLanes, maximum, distance);
    const int other_first = __shfl_xor_sync(kAllLanes, first, distance);
    if (other > maximum || (other == maximum && other_first < first)) {
      maximum = other;
      first = other_first;
    }
  }

  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += expf(x[column] - maximum);
  sum = warp_sum(sum);
  for (int column = lane; column < columns; column += 32) {
    y[column] = expf(x[column] - maximum) / sum;
  }
  if (lane == 0) {
    losses[row] = logf(sum) - (x[label[row]] - maximum);
    row_hits[row] = first == label[row];
  }
}

// One block, which has threads for every row in turn.
__global__ void mean_of_rows(const float* losses, const int* row_hits, float* loss, int* hits,
                             int rows) {
  __shared__ float warp_losses[32];
  __shared__ int warp_hits[32];
  float sum = 0;
  int hit = 0;
  for (int row = threadIdx.x; row < rows; row += blockDim.x) {
    sum += losses[row];
    hit += row_hits[row];
  }
  sum = warp_sum(sum);
  for (int distance = 16; distance > 0; distance /= 2) {
    hit += __shfl_xor_sync(kAllLanes, hit, distance);
  }
  if (threadIdx.x % 32 == 0) {
    warp_losses[threadIdx.x / 32] = sum;
    warp_hits[threadIdx.x / 32] = hit;
  }
  __syncthreads();  // all warps' sums are there
  if (threadIdx.x == 0) {
    sum = 0;
    hit = 0;
    for (int warp = 0; warp < blockDim.x / 32; ++warp) {
      sum += warp_losses[warp];
      hit += warp_hits[warp];
    }
    loss[0] = sum / rows;
    hits[0] = hit;
  }
}
