// Softmax of logits that are too large for the formula as
// it stands: exp(1000) is infinite, even in a double.
// nvcc -o softmax softmax.cu && ./softmax
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a CUDA call fails.
#define CHECK(call)                           \
  do {                                        \
    cudaError_t error = (call);               \
    if (error != cudaSuccess) {               \
      fprintf(stderr, "line %d: %s\n",        \
              __LINE__,                       \
              cudaGetErrorString(error));     \
      exit(EXIT_FAILURE);                     \
    }                                         \
  } while (0)

// Finite: two infinities are never subtracted.
constexpr float kLowest = -3.402823466e38f;

// The formula as it stands.
// x, y: [rows][columns]
__global__ void naive(const float* x, float* y, int rows,
                      int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  x += row * columns;
  y += row * columns;

  float sum = 0;
  for (int c = 0; c < columns; ++c)
    sum += expf(x[c]);
  for (int c = 0; c < columns; ++c)
    y[c] = expf(x[c]) / sum;
}

// Maximum and sum in one pass: when the maximum grows, the
// sum so far is scaled down to it.
__global__ void online(const float* x, float* y, int rows,
                       int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  x += row * columns;
  y += row * columns;

  float maximum = kLowest, sum = 0;
  for (int c = 0; c < columns; ++c) {
    const float raised = fmaxf(maximum, x[c]);
    sum = sum * expf(maximum - raised) +
          expf(x[c] - raised);
    maximum = raised;
  }
  for (int c = 0; c < columns; ++c)
    y[c] = expf(x[c] - maximum) / sum;
}

const int rows = 100, columns = 10;

// How far y is from the truth, at worst; infinite where it
// is no number.
double worst_error(const std::vector<float>& x,
                   const std::vector<float>& y) {
  double worst = 0;
  for (int row = 0; row < rows; ++row) {
    const float* logits = &x[row * columns];
    const double maximum =
        *std::max_element(logits, logits + columns);
    double sum = 0;
    for (int c = 0; c < columns; ++c)
      sum += std::exp(logits[c] - maximum);
    for (int c = 0; c < columns; ++c) {
      const double truth =
          std::exp(logits[c] - maximum) / sum;
      const double error =
          std::fabs(y[row * columns + c] - truth);
      if (std::isnan(error)) return INFINITY;
      worst = std::max(worst, error);
    }
  }
  return worst;
}

int main() {
  const size_t bytes = rows * columns * sizeof(float);
  std::vector<float> x(rows * columns), y(x.size());
  for (int row = 0; row < rows; ++row) {
    for (int c = 0; c < columns; ++c)
      x[row * columns + c] =
          float(10 * row) + float(c * 7 % columns) / 2;
  }

  float *d_x, *d_y;
  CHECK(cudaMalloc(&d_x, bytes));
  CHECK(cudaMalloc(&d_y, bytes));
  CHECK(cudaMemcpy(d_x, x.data(), bytes,
                   cudaMemcpyHostToDevice));
  const int block = 128;
  const int blocks = (rows + block - 1) / block;

  naive<<<blocks, block>>>(d_x, d_y, rows, columns);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(y.data(), d_y, bytes,
                   cudaMemcpyDeviceToHost));
  const double of_naive = worst_error(x, y);

  online<<<blocks, block>>>(d_x, d_y, rows, columns);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(y.data(), d_y, bytes,
                   cudaMemcpyDeviceToHost));
  const double of_online = worst_error(x, y);
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));

  // How far below is no property of the kernel: exp's last
  // bits differ from one GPU to the next.
  const double most = 1e-6;
  const bool right = of_online < most;
  printf("error below %.0e: naive %s, online %s\n", most,
         of_naive < most ? "yes" : "no",
         right ? "yes" : "no");
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
