// y = scale * x, where each row has its own scale:
//   scale[row] = 1 / sqrt(mean of the row's squares + epsilon)
// x, y, dy, dx: [rows][columns], scale: [rows]
// a block: four warps, each with a row
constexpr float epsilon = 1e-5f;

__device__ float sum_of_warp(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(~0u, value, distance);
  return value;
}

__global__ void normalise(const float* x, float* y, float* scale,
                          int rows, int columns) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  float squares = 0;
  for (int c = lane; c < columns; c += 32) {
    float value = x[row * columns + c];
    squares += value * value;
  }
  float s = 1 / sqrtf(sum_of_warp(squares) / columns + epsilon);
  for (int c = lane; c < columns; c += 32)
    y[row * columns + c] = s * x[row * columns + c];
  if (lane == 0) scale[row] = s;
}

// dx from dy, and from what the tape kept: y and scale
__global__ void normalise_backward(const float* y,
                                   const float* scale,
                                   const float* dy, float* dx,
                                   int rows, int columns) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  // x[i] changes all results of its row through the scale, whose
  // slope is -scale^2 * y[i] / columns. What that costs all of
  // them together is the mean of dy * y.
  float products = 0;
  int part = (columns + 31) / 32;
  for (int c = lane * part; c < (lane + 1) * part && c < columns; ++c)
    products += dy[row * columns + c] * y[row * columns + c];
  float mean = sum_of_warp(products) / columns;
  float s = scale[row];
  for (int c = lane; c < columns; c += 32) {
    int i = row * columns + c;
    dx[i] = s * (dy[i] - y[i] * mean);
  }
}
