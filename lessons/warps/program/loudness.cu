// How loud is a recording, stretch by stretch? Each warp adds up the squares of 32 samples by
// shuffles and counts the loud ones by a vote.
// nvcc -o loudness loudness.cu && ./loudness
#include <cmath>
#include <cstdio>
#include <cstdlib>

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

// n is a multiple of 32, so a whole warp has samples or none of it has.
__global__ void meter(const float* x, float* energy,
                      int* loud, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = x[i];
  float sum = s * s;
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  unsigned votes =
      __ballot_sync(0xffffffff, fabsf(s) > 1);
  if (i % 32 == 0) {
    energy[i / 32] = sum;
    loud[i / 32] = __popc(votes);
  }
}

int main() {
  const int stretches = 100, n = 32 * stretches;
  float *x = new float[n], *energy = new float[stretches];
  int* loud = new int[stretches];
  // Whole numbers over 32: the sums of their squares are exact in every order.
  for (int i = 0; i < n; ++i)
    x[i] = (i * 37 % 101 - 50) / 32.0f;

  float *d_x, *d_energy;
  int* d_loud;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_energy, stretches * sizeof(float)));
  CHECK(cudaMalloc(&d_loud, stretches * sizeof(int)));
  CHECK(cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice));

  const int block = 256;  // eight warps
  meter<<<(n + block - 1) / block, block>>>(d_x, d_energy, d_loud, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaMemcpy(energy, d_energy, stretches * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(loud, d_loud, stretches * sizeof(int), cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int k = 0; k < stretches; ++k) {
    float sum = 0;
    int count = 0;
    for (int i = 32 * k; i < 32 * (k + 1); ++i) {
      sum += x[i] * x[i];
      count += std::fabs(x[i]) > 1;
    }
    wrong += energy[k] != sum || loud[k] != count;
  }
  printf("first stretch: energy %g, %d loud samples\n", energy[0], loud[0]);
  printf(wrong == 0 ? "PASS\n" : "FAIL: %d stretches are wrong\n", wrong);

  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_energy));
  CHECK(cudaFree(d_loud));
  delete[] x;
  delete[] energy;
  delete[] loud;
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
