// A layer's convolution by two kernels: which is faster,
// and do they agree in every output?
// nvcc -o own_layer own_layer.cu && ./own_layer
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

// The layer conv2: stride 1, padding 1, filters of 3 x 3.
constexpr int kImages = 10, kChannels = 8, kSide = 16,
              kFilters = 16, kTaps = 9;
constexpr int kPlaces = kSide * kSide, kBlock = 256;

// The pixel that a place's window has at tap t; 0 outside.
__device__ float pixel_at(const float* x, int image,
                          int channel, int place, int t) {
  int row = place / kSide - 1 + t / 3;
  int column = place % kSide - 1 + t % 3;
  bool inside = row >= 0 && row < kSide &&
                column >= 0 && column < kSide;
  return inside ? x[((image * kChannels + channel) * kSide
                     + row) * kSide + column] : 0;
}

// A thread per output.
__global__ void one_filter(const float* x,
                           const float* weights,
                           const float* bias, float* y) {
  int place = blockIdx.x * blockDim.x + threadIdx.x;
  int filter = blockIdx.y, image = blockIdx.z;
  if (place >= kPlaces) return;
  float sum = 0;
  for (int channel = 0; channel < kChannels; ++channel)
    for (int t = 0; t < kTaps; ++t)
      sum += pixel_at(x, image, channel, place, t)
             * weights[(filter * kChannels + channel)
                       * kTaps + t];
  y[(image * kFilters + filter) * kPlaces + place] =
      sum + bias[filter];
}

// Two filters per thread, their weights in shared memory.
__global__ void two_filters(const float* x,
                            const float* weights,
                            const float* bias, float* y) {
  constexpr int kWeights = kChannels * kTaps;
  __shared__ float part[2 * kWeights];
  int first = blockIdx.y * 2, image = blockIdx.z;
  for (int i = threadIdx.x; i < 2 * kWeights;
       i += blockDim.x)
    part[i] = weights[first * kWeights + i];
  __syncthreads();  // all weights are there

  int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= kPlaces) return;
  float sum[2] = {};
  for (int channel = 0; channel < kChannels; ++channel)
    for (int t = 0; t < kTaps; ++t) {
      float pixel = pixel_at(x, image, channel, place, t);
      int weight = channel * kTaps + t;
      sum[0] += pixel * part[weight];
      sum[1] += pixel * part[kWeights + weight];
    }
  for (int f = 0; f < 2; ++f)
    y[(image * kFilters + first + f) * kPlaces + place] =
        sum[f] + bias[first + f];
}

// Small whole numbers: every order of adding gives the
// same sum, so the two results have to be equal.
std::vector<float> numbers(int count, int step, int values) {
  std::vector<float> made(count);
  for (int i = 0; i < count; ++i)
    made[i] = i * step % values - values / 2;
  return made;
}

float* on_device(const std::vector<float>& values) {
  float* copy;
  size_t bytes = values.size() * sizeof(float);
  CHECK(cudaMalloc(&copy, bytes));
  CHECK(cudaMemcpy(copy, values.data(), bytes,
                   cudaMemcpyHostToDevice));
  return copy;
}

using Kernel = void (*)(const float*, const float*,
                        const float*, float*);

// Runs the kernel once to warm up, once by the clock.
std::vector<float> run(const char* name, Kernel kernel,
                       dim3 grid, const float* x,
                       const float* weights,
                       const float* bias, float* y) {
  std::vector<float> result(kImages * kFilters * kPlaces);
  size_t bytes = result.size() * sizeof(float);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaMemset(y, 0, bytes));
  kernel<<<grid, kBlock>>>(x, weights, bias, y);
  CHECK(cudaEventRecord(begin));
  kernel<<<grid, kBlock>>>(x, weights, bias, y);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  printf("%-12s %4u blocks, %.1f microseconds\n", name,
         grid.x * grid.y * grid.z, 1000 * milliseconds);
  CHECK(cudaMemcpy(result.data(), y, bytes,
                   cudaMemcpyDeviceToHost));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return result;
}

int main() {
  float* x = on_device(
      numbers(kImages * kChannels * kPlaces, 7, 15));
  float* weights = on_device(
      numbers(kFilters * kChannels * kTaps, 5, 9));
  float* bias = on_device(numbers(kFilters, 3, 7));
  float* y = on_device(
      numbers(kImages * kFilters * kPlaces, 1, 2));

  const int blocks = (kPlaces + kBlock - 1) / kBlock;
  std::vector<float> one =
      run("one filter", one_filter,
          dim3(blocks, kFilters, kImages), x, weights, bias,
          y);
  std::vector<float> two =
      run("two filters", two_filters,
          dim3(blocks, kFilters / 2, kImages), x, weights,
          bias, y);

  int different = 0;
  for (size_t i = 0; i < one.size(); ++i)
    different += one[i] != two[i];
  printf("%d of %zu outputs differ\n", different,
         one.size());
  for (float* array : {x, weights, bias, y})
    CHECK(cudaFree(array));
  printf(different == 0 ? "PASS\n" : "FAIL\n");
  return different == 0 ? 0 : EXIT_FAILURE;
}
