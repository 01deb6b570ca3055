// cuRAND's generators on the device: words, and distributions made of them.
#include <curand_kernel.h>

template <class State>
__global__ void words(unsigned* y, unsigned long long seed, unsigned long long from, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  State s;
  curand_init(seed, i, from, &s);
  for (int k = 0; k < each; ++k) y[i * each + k] = curand(&s);
}
template __global__ void words<curandStatePhilox4_32_10_t>(unsigned*, unsigned long long, unsigned long long, int);
template __global__ void words<curandStateXORWOW_t>(unsigned*, unsigned long long, unsigned long long, int);
template __global__ void words<curandStateMRG32k3a_t>(unsigned*, unsigned long long, unsigned long long, int);

// Uniform, normal, log-normal in both precisions and Poisson; sums of powers are the host's to judge.
template <class State>
__global__ void distributions(double* y, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  State s;
  curand_init(77, i, 0, &s);
  double* o = y + 7 * i * each;
  for (int k = 0; k < each; ++k, o += 7) {
    o[0] = curand_uniform(&s);
    o[1] = curand_uniform_double(&s);
    o[2] = curand_normal(&s);
    o[3] = curand_normal_double(&s);
    const float2 two = curand_normal2(&s);
    o[4] = two.x * two.y;
    o[5] = curand_log_normal(&s, 0.0f, 0.25f);
    o[6] = curand_poisson(&s, 3.5);
  }
}
template __global__ void distributions<curandStatePhilox4_32_10_t>(double*, int);
template __global__ void distributions<curandStateXORWOW_t>(double*, int);
template __global__ void distributions<curandStateMRG32k3a_t>(double*, int);

// Pi by throwing darts with a generator that lives from launch to launch.
__global__ void begin(curandState* states) { curand_init(5, threadIdx.x, 0, &states[threadIdx.x]); }
__global__ void darts(curandState* states, unsigned* inside, int each) {
  curandState s = states[threadIdx.x];
  unsigned hits = 0;
  for (int k = 0; k < each; ++k) {
    const float x = curand_uniform(&s), y = curand_uniform(&s);
    hits += x * x + y * y <= 1;
  }
  states[threadIdx.x] = s;
  atomicAdd(inside, hits);
}
