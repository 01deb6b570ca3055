// The host's side of cuRAND gives the numbers that NVIDIA's curand_kernel.h gives for the documented sequences: result i of a
// generator is the next number of sequence i modulo their count, and of Philox the next four are.
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>
#include <vector>

constexpr unsigned long long kSeed = 987654321;
constexpr int kSequences = 64, kRows = 3;

struct Numbers {
  unsigned bits;
  float uniform;
  double uniform_double;
  float2 normal;
  double2 normal_double;
};

/// Row r of sequence t, of each kind from the beginning.
template <class State>
__global__ void draw(Numbers* out) {
  const int t = threadIdx.x;
  State start, state;
  curand_init(kSeed, t, 0, &start);
  for (int kind = 0; kind < 5; ++kind) {
    state = start;
    for (int row = 0; row < kRows; ++row) {
      Numbers& n = out[row * kSequences + t];
      if (kind == 0) n.bits = curand(&state);
      if (kind == 1) n.uniform = curand_uniform(&state);
      if (kind == 2) n.uniform_double = curand_uniform_double(&state);
      if (kind == 3) n.normal = curand_normal2(&state);
      if (kind == 4) n.normal_double = curand_normal2_double(&state);
    }
  }
}

int failures = 0;

template <class T>
void compare(const char* what, int at, T host, T device, double within) {
  if (host - device <= within && device - host <= within) return;
  if (++failures < 10)
    std::printf("%s %d: %.17g and %.17g\n", what, at, double(host), double(device));
}

/// What the host's side generates; `rows` of a generator with so many sequences.
template <class T, class Generate>
std::vector<T> generated(curandRngType_t type, std::size_t count, Generate generate) {
  curandGenerator_t generator;
  T* data;
  std::vector<T> values(count);
  cudaMalloc(&data, count * sizeof(T));
  curandCreateGenerator(&generator, type);
  curandSetPseudoRandomGeneratorSeed(generator, kSeed);
  generate(generator, data, count);
  cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
  curandDestroyGenerator(generator);
  cudaFree(data);
  return values;
}

template <class State>
void compare_turns(const char* name, curandRngType_t type, std::size_t sequences) {
  Numbers* data;
  std::vector<Numbers> device(kSequences * kRows);
  cudaMalloc(&data, device.size() * sizeof(Numbers));
  draw<State><<<1, kSequences>>>(data);
  cudaMemcpy(device.data(), data, device.size() * sizeof(Numbers), cudaMemcpyDeviceToHost);
  cudaFree(data);
  const std::size_t count = sequences * (kRows - 1) + kSequences;
  const auto bits = generated<unsigned>(type, count, curandGenerate);
  const auto uniform = generated<float>(type, count, curandGenerateUniform);
  const auto uniform_double = generated<double>(type, count, curandGenerateUniformDouble);
  const auto normal = generated<float>(type, 2 * count, [](auto g, float* out, std::size_t n) {
    curandGenerateNormal(g, out, n, 0, 1);
  });
  const auto normal_double = generated<double>(
      type, 2 * count,
      [](auto g, double* out, std::size_t n) { curandGenerateNormalDouble(g, out, n, 0, 1); });
  for (int row = 0; row < kRows; ++row) {
    for (int t = 0; t < kSequences; ++t) {
      const Numbers& n = device[row * kSequences + t];
      const std::size_t at = row * sequences + t;
      compare(name, t, bits[at], n.bits, 0);
      compare(name, t, uniform[at], n.uniform, 0);
      compare(name, t, uniform_double[at], n.uniform_double, 0);
      compare(name, t, normal[2 * at], n.normal.x, 1e-6);
      compare(name, t, normal[2 * at + 1], n.normal.y, 1e-6);
      compare(name, t, normal_double[2 * at], n.normal_double.x, 1e-14);
      compare(name, t, normal_double[2 * at + 1], n.normal_double.y, 1e-14);
    }
  }
}

__global__ void draw_quads(uint4* out, float4* normal) {
  curandStatePhilox4_32_10_t state;
  curand_init(kSeed, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand4(&state);
  curand_init(kSeed, threadIdx.x, 0, &state);
  normal[threadIdx.x] = curand_normal4(&state);
}

void compare_quads() {
  uint4* bits_data;
  float4* normal_data;
  std::vector<unsigned> bits(4 * kSequences);
  std::vector<float> normal(4 * kSequences);
  cudaMalloc(&bits_data, bits.size() * sizeof(unsigned));
  cudaMalloc(&normal_data, normal.size() * sizeof(float));
  draw_quads<<<1, kSequences>>>(bits_data, normal_data);
  cudaMemcpy(bits.data(), bits_data, bits.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaMemcpy(normal.data(), normal_data, normal.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(bits_data);
  cudaFree(normal_data);
  const auto host_bits =
      generated<unsigned>(CURAND_RNG_PSEUDO_PHILOX4_32_10, bits.size(), curandGenerate);
  const auto host_normal = generated<float>(
      CURAND_RNG_PSEUDO_PHILOX4_32_10, normal.size(),
      [](auto g, float* out, std::size_t n) { curandGenerateNormal(g, out, n, 0, 1); });
  for (std::size_t i = 0; i < bits.size(); ++i) {
    compare("Philox", int(i), host_bits[i], bits[i], 0);
    compare("Philox", int(i), host_normal[i], normal[i], 1e-6);
  }
}

int main() {
  compare_turns<curandStateXORWOW_t>("XORWOW", CURAND_RNG_PSEUDO_XORWOW, 4096);
  compare_turns<curandStateMRG32k3a_t>("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 81920);
  compare_quads();
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
