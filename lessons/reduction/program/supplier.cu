// A supplier of electricity: what all households use in a day, and how far sums of floats are from it.
// nvcc -o supplier supplier.cu && ./supplier
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

constexpr int kBlock = 256;   // threads: eight warps
constexpr int kBlocks = 128;  // few, so that a thread has many values

// The sum of the warp's values, in lane 0.
__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

// The sum of the block's values, in thread 0.
__device__ float block_sum(float value) {
  __shared__ float part[kBlock / 32];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) part[warp] = value;
  __syncthreads();  // the first warp reads what others have stored
  if (warp == 0)
    value = warp_sum(lane < kBlock / 32 ? part[lane] : 0);
  return value;
}

// sums[block] = what the block's threads meet of x: [n]. With
// one block, sums[0] is the sum of all.
__global__ void sum_blocks(const float* x, float* sums,
                           int n) {
  int threads = gridDim.x * blockDim.x;
  float own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += threads)
    own += x[i];
  float sum = block_sum(own);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

int main() {
  const int n = 1000003;
  std::vector<float> uses(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    uses[i] = 4 + 0.01f * (i * 37LL % 1001);
    expected += uses[i];
  }

  float *d_uses, *d_sums, *d_total;
  CHECK(cudaMalloc(&d_uses, n * sizeof(float)));
  CHECK(cudaMalloc(&d_sums, kBlocks * sizeof(float)));
  CHECK(cudaMalloc(&d_total, sizeof(float)));
  CHECK(cudaMemcpy(d_uses, uses.data(), n * sizeof(float),
                   cudaMemcpyHostToDevice));

  // Twice, because a fixed order gives the same bits each time.
  float total[2];
  for (float& each : total) {
    sum_blocks<<<kBlocks, kBlock>>>(d_uses, d_sums, n);
    CHECK(cudaGetLastError());
    sum_blocks<<<1, kBlock>>>(d_sums, d_total, kBlocks);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&each, d_total, sizeof(float),
                     cudaMemcpyDeviceToHost));
  }
  CHECK(cudaFree(d_uses));
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_total));

  float in_line = 0;
  for (float use : uses) in_line += use;
  printf("exact         %.2f kWh\n", expected);
  printf("in line       %.2f kWh\n", in_line);
  printf("by a tree     %.2f kWh\n", total[0]);
  const bool close = std::fabs(total[0] - expected) < 1e-6 * expected;
  const bool right = close && total[0] == total[1];
  printf("%s\n", right ? "PASS" : "FAIL");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
