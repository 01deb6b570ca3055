// A convolution forward and back, and a filter that is
// found by following its gradient.
// nvcc -o gradients gradients.cu && ./gradients
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

// y[i][j]: the weighted sum of a window. A thread per
// output. x: [images][side][side], w: [K][K]
__global__ void forward(const float* x, const float* w,
                        float* y, int images, int side,
                        int K, int out) {
  int output = blockIdx.x * blockDim.x + threadIdx.x;
  if (output >= images * out * out) return;
  int image = output / (out * out);
  int i = output / out % out, j = output % out;
  x += image * side * side;

  float sum = 0;
  for (int u = 0; u < K; ++u)
    for (int v = 0; v < K; ++v)
      sum += x[(i + u) * side + j + v] * w[u * K + v];
  y[output] = sum;
}

// The gradient of the mean of (y - wanted)^2.
__global__ void difference(const float* y,
                           const float* wanted, float* dy,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dy[i] = 2 * (y[i] - wanted[i]) / n;
}

// dx[row][column]: over all outputs that saw this pixel. A
// thread per pixel.
__global__ void backward_data(const float* dy,
                              const float* w, float* dx,
                              int images, int side, int K,
                              int out) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= images * side * side) return;
  int image = pixel / (side * side);
  int row = pixel / side % side, column = pixel % side;
  dy += image * out * out;

  float sum = 0;
  for (int u = 0; u < K; ++u)
    for (int v = 0; v < K; ++v) {
      int i = row - u, j = column - v;
      if (i < 0 || i >= out || j < 0 || j >= out) continue;
      sum += dy[i * out + j] * w[u * K + v];
    }
  dx[pixel] = sum;
}

// dw[u][v]: over all outputs of all images. A block per
// weight: its 256 threads share the sum.
__global__ void backward_filter(const float* x,
                                const float* dy, float* dw,
                                int images, int side, int K,
                                int out) {
  __shared__ float part[256];
  int u = blockIdx.x / K, v = blockIdx.x % K;
  float sum = 0;
  for (int output = threadIdx.x;
       output < images * out * out; output += blockDim.x) {
    int image = output / (out * out);
    int i = output / out % out, j = output % out;
    sum += dy[output] *
           x[(image * side + i + u) * side + j + v];
  }
  part[threadIdx.x] = sum;
  __syncthreads();  // all parts are there
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();  // this round's sums are there
  }
  if (threadIdx.x == 0) dw[blockIdx.x] = part[0];
}

__global__ void step(float* w, const float* dw, float rate,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= rate * dw[i];
}

const int images = 8, side = 16, K = 3;
const int out = side - K + 1, block = 256;
const int pixels = images * side * side;
const int outputs = images * out * out, weights = K * K;

int blocks_for(int n) { return (n + block - 1) / block; }

float* allocate(int n) {
  float* array;
  CHECK(cudaMalloc(&array, n * sizeof(float)));
  return array;
}
void copy_in(float* to, const std::vector<float>& from) {
  CHECK(cudaMemcpy(to, from.data(),
                   from.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
}
std::vector<float> copy_out(const float* from, int n) {
  std::vector<float> to(n);
  CHECK(cudaMemcpy(to.data(), from, n * sizeof(float),
                   cudaMemcpyDeviceToHost));
  return to;
}

// The sum of dy * y, whose gradients dx and dw are.
double product(const std::vector<float>& x,
               const std::vector<float>& w,
               const std::vector<float>& dy) {
  double sum = 0;
  for (int o = 0; o < outputs; ++o) {
    int image = o / (out * out);
    int i = o / out % out, j = o % out;
    for (int t = 0; t < weights; ++t)
      sum += double(dy[o]) * w[t] *
             x[(image * side + i + t / K) * side + j +
               t % K];
  }
  return sum;
}

int main() {
  // Pictures with nothing in common, and the filter that
  // is to be found.
  std::vector<float> x(pixels);
  unsigned bits = 1;
  for (float& pixel : x) {
    bits = bits * 1664525u + 1013904223u;
    pixel = float(bits >> 16) / 32768 - 1;
  }
  const std::vector<float> sought{0, -1, 0, -1, 5,
                                  -1, 0, -1, 0};

  float *d_x = allocate(pixels), *d_dx = allocate(pixels);
  float *d_w = allocate(weights), *d_dw = allocate(weights);
  float *d_y = allocate(outputs), *d_dy = allocate(outputs);
  float* d_wanted = allocate(outputs);
  copy_in(d_x, x);
  copy_in(d_w, sought);
  forward<<<blocks_for(outputs), block>>>(
      d_x, d_w, d_wanted, images, side, K, out);
  CHECK(cudaGetLastError());
  copy_in(d_w, std::vector<float>(weights, 0));

  for (int round = 0; round < 100; ++round) {
    forward<<<blocks_for(outputs), block>>>(
        d_x, d_w, d_y, images, side, K, out);
    difference<<<blocks_for(outputs), block>>>(
        d_y, d_wanted, d_dy, outputs);
    backward_filter<<<weights, block>>>(
        d_x, d_dy, d_dw, images, side, K, out);
    step<<<1, block>>>(d_w, d_dw, 0.5f, weights);
    CHECK(cudaGetLastError());
  }
  const std::vector<float> found = copy_out(d_w, weights);
  double apart = 0;
  for (int t = 0; t < weights; ++t)
    apart = std::fmax(apart,
                      std::fabs(found[t] - sought[t]));
  printf("the filter is found but for %.1e\n", apart);

  // Both gradients. The sum is linear in every number, so
  // adding 1 to one of them adds just its gradient.
  std::vector<float> dy(outputs), w = sought;
  for (int o = 0; o < outputs; ++o) dy[o] = x[o] / 4;
  copy_in(d_dy, dy);
  copy_in(d_w, w);
  backward_data<<<blocks_for(pixels), block>>>(
      d_dy, d_w, d_dx, images, side, K, out);
  backward_filter<<<weights, block>>>(
      d_x, d_dy, d_dw, images, side, K, out);
  CHECK(cudaGetLastError());
  const std::vector<float> dx = copy_out(d_dx, pixels),
                           dw = copy_out(d_dw, weights);
  const double before = product(x, w, dy);
  bool right = apart < 1e-3;
  for (int i = 0; i < pixels; i += 37) {
    std::vector<float> other = x;
    other[i] += 1;
    right &= std::fabs(product(other, w, dy) - before -
                       dx[i]) < 1e-3;
  }
  for (int t = 0; t < weights; ++t) {
    std::vector<float> other = w;
    other[t] += 1;
    right &= std::fabs(product(x, other, dy) - before -
                       dw[t]) < 1e-2;
  }

  for (float* array :
       {d_x, d_dx, d_w, d_dw, d_y, d_dy, d_wanted})
    CHECK(cudaFree(array));
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
