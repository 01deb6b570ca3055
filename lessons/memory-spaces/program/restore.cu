// Restores a recording from an old record: a median takes
// out the clicks, then a weighted mean takes out the hiss.
// nvcc -o restore restore.cu && ./restore
#include <algorithm>
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

// The weights in constant memory: all threads of a warp
// read the same one at the same time.
__constant__ float weight[8];

// This sort compares the same pairs whatever the samples
// are, so the array stays in registers.
__device__ void put_in_order(float& a, float& b) {
  float low = fminf(a, b);
  b = fmaxf(a, b);
  a = low;
}

__device__ float median(const float* x) {
  float w[5];
  for (int k = 0; k < 5; ++k) w[k] = x[k];
  for (int last = 4; last > 0; --last)
    for (int k = 0; k < last; ++k)
      put_in_order(w[k], w[k + 1]);
  return w[2];
}

// x: [n + 4], out: [n]
__global__ void declick(const float* x, float* out,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = median(x + i);
}

// x: [n + 7], out: [n]
__global__ void smooth(const float* x, float* out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += weight[k] * x[i + k];
  out[i] = sum;
}

// A slow wave, a little hiss, and now and then a click.
// Whole numbers, so every order of adding is exact.
float sample(int i) {
  int wave = 32 * abs(i % 48 - 24) - 384;
  int hiss = i * 7 % 31 - 15;
  int click = i % 89 == 40 ? 1500 : 0;
  return float(wave + hiss + click);
}

// The same on the CPU.
std::vector<float> restored(std::vector<float> x, int n,
                            const float* c) {
  std::vector<float> heard(n + 7), out(n);
  for (int i = 0; i < n + 7; ++i) {
    float w[5];
    std::copy_n(&x[i], 5, w);
    std::nth_element(w, w + 2, w + 5);
    heard[i] = w[2];
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 8; ++k)
      out[i] += c[k] * heard[i + k];
  }
  return out;
}

int main() {
  const int n = 1024;
  const float c[8] = {1 / 32.f, 3 / 32.f, 5 / 32.f,
                      7 / 32.f, 7 / 32.f, 5 / 32.f,
                      3 / 32.f, 1 / 32.f};
  // Past its end the recording repeats its last sample,
  // so that every window is whole: 7 more for the mean,
  // and 4 more for the median of each of those.
  std::vector<float> x(n + 11), out(n);
  for (int i = 0; i < n + 11; ++i)
    x[i] = sample(std::min(i, n - 1));

  float *d_x, *d_heard, *d_out;
  CHECK(cudaMalloc(&d_x, (n + 11) * sizeof(float)));
  CHECK(cudaMalloc(&d_heard, (n + 7) * sizeof(float)));
  CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  CHECK(cudaMemcpyToSymbol(weight, c, sizeof(c)));
  CHECK(cudaMemcpy(d_x, x.data(),
                   (n + 11) * sizeof(float),
                   cudaMemcpyHostToDevice));

  const int block = 128;
  const auto blocks = [&](int threads) {
    return (threads + block - 1) / block;
  };
  declick<<<blocks(n + 7), block>>>(d_x, d_heard, n + 7);
  CHECK(cudaGetLastError());
  smooth<<<blocks(n), block>>>(d_heard, d_out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(float),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_heard));
  CHECK(cudaFree(d_out));

  const std::vector<float> truth = restored(x, n, c);
  for (int i = 0; i < n; ++i) {
    if (out[i] != truth[i]) {
      printf("sample %d is %g, not %g\n", i, out[i],
             truth[i]);
      printf("FAIL\n");
      return EXIT_FAILURE;
    }
  }
  printf("sample 40 was %g (a click), and is %g now\n",
         x[40], out[40]);
  printf("PASS\n");
}
