// A convolutional layer on the GPU, with padding and a
// bias, held against the same sums on the CPU.
// nvcc -o convolve convolve.cu && ./convolve
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

// x: [channels][side][side], y: [filters][out][out]
// weights: [filters][channels][K][K]
__global__ void convolve(
    const float* x, const float* weights,
    const float* bias, float* y, int channels,
    int side, int filters, int K, int out,
    int stride, int pad, int dilation) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  int filter = blockIdx.y;
  if (pixel >= out * out) return;
  int i = pixel / out, j = pixel % out;

  float sum = bias[filter];
  for (int channel = 0; channel < channels;
       ++channel) {
    for (int u = 0; u < K; ++u) {
      int row = i * stride - pad + u * dilation;
      if (row < 0 || row >= side) continue;
      for (int v = 0; v < K; ++v) {
        int column =
            j * stride - pad + v * dilation;
        if (column < 0 || column >= side) continue;
        sum +=
            x[(channel * side + row) * side +
              column] *
            weights[((filter * channels + channel)
                     * K + u) * K + v];
      }
    }
  }
  y[(filter * out + i) * out + j] = sum;
}

const int channels = 3, side = 32, filters = 8, K = 3;
const int stride = 2, pad = 1, dilation = 1;
const int out = (side + 2 * pad - dilation * (K - 1) - 1)
                / stride + 1;

// One output on the CPU, in double precision.
double truth(const std::vector<float>& x,
             const std::vector<float>& weights,
             const std::vector<float>& bias, int filter,
             int i, int j) {
  double sum = bias[filter];
  for (int channel = 0; channel < channels; ++channel) {
    for (int u = 0; u < K; ++u) {
      for (int v = 0; v < K; ++v) {
        const int row = i * stride - pad + u * dilation;
        const int column = j * stride - pad + v * dilation;
        const bool inside = row >= 0 && row < side &&
                            column >= 0 && column < side;
        if (inside)
          sum += double(x[(channel * side + row) * side +
                          column]) *
                 weights[((filter * channels + channel) *
                              K + u) * K + v];
      }
    }
  }
  return sum;
}

// A copy of the array in the GPU's memory.
float* on_gpu(const std::vector<float>& values) {
  const size_t bytes = values.size() * sizeof(float);
  float* d_values;
  CHECK(cudaMalloc(&d_values, bytes));
  CHECK(cudaMemcpy(d_values, values.data(), bytes,
                   cudaMemcpyHostToDevice));
  return d_values;
}

// Numbers from -1 to 1.
std::vector<float> numbers(size_t count, unsigned seed) {
  std::vector<float> made(count);
  for (float& one : made) {
    seed = seed * 1664525u + 1013904223u;
    one = float(seed >> 8) / float(1 << 23) - 1;
  }
  return made;
}

int main() {
  const auto x = numbers(channels * side * side, 1);
  const auto weights = numbers(filters * channels * K * K, 2);
  const auto bias = numbers(filters, 3);
  std::vector<float> y(filters * out * out);

  float *d_x = on_gpu(x), *d_weights = on_gpu(weights),
        *d_bias = on_gpu(bias), *d_y;
  CHECK(cudaMalloc(&d_y, y.size() * sizeof(float)));
  const int block = 128;
  const dim3 grid((out * out + block - 1) / block, filters);
  convolve<<<grid, block>>>(d_x, d_weights, d_bias, d_y,
                            channels, side, filters, K, out,
                            stride, pad, dilation);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(y.data(), d_y, y.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_weights));
  CHECK(cudaFree(d_bias));
  CHECK(cudaFree(d_y));

  double worst = 0;
  for (int filter = 0; filter < filters; ++filter) {
    for (int i = 0; i < out; ++i) {
      for (int j = 0; j < out; ++j) {
        const double error =
            std::fabs(y[(filter * out + i) * out + j] -
                      truth(x, weights, bias, filter, i, j));
        worst = std::fmax(worst, error);
      }
    }
  }
  printf("%d x %d x %d outputs; the largest error is %.1e\n",
         filters, out, out, worst);
  const bool right = worst < 1e-5;
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
