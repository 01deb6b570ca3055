#include "gui/editor/cuda_words.hpp"

#include <algorithm>
#include <array>

#include "gui/controls/highlight.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::gui {

std::span<const CudaWord> cuda_words() {
  static constexpr std::array kWords{
      CudaWord{"__activemask", "unsigned __activemask()"},
      CudaWord{"__all_sync", "int __all_sync(unsigned mask, int condition)"},
      CudaWord{"__any_sync", "int __any_sync(unsigned mask, int condition)"},
      CudaWord{"__ballot_sync", "unsigned __ballot_sync(unsigned mask, int condition)"},
      CudaWord{"__clz", "int __clz(int x)"},
      CudaWord{"__constant__", "__constant__ float weights[9];"},
      CudaWord{"__device__", "__device__ float half_of(float x)"},
      CudaWord{"__ffs", "int __ffs(int x)"},
      CudaWord{"__global__", "__global__ void kernel(float* x, int n)"},
      CudaWord{"__host__", "__host__ __device__ float half_of(float x)"},
      CudaWord{"__launch_bounds__", "__launch_bounds__(threads, blocks)"},
      CudaWord{"__ldg", "T __ldg(const T* address)"},
      CudaWord{"__popc", "int __popc(unsigned x)"},
      CudaWord{"__restrict__", "const float* __restrict__ x"},
      CudaWord{"__shared__", "__shared__ float tile[256];"},
      CudaWord{"__shfl_down_sync", "T __shfl_down_sync(unsigned mask, T value, unsigned delta)"},
      CudaWord{"__shfl_sync", "T __shfl_sync(unsigned mask, T value, int lane)"},
      CudaWord{"__shfl_up_sync", "T __shfl_up_sync(unsigned mask, T value, unsigned delta)"},
      CudaWord{"__shfl_xor_sync", "T __shfl_xor_sync(unsigned mask, T value, int lane_mask)"},
      CudaWord{"__syncthreads", "void __syncthreads()"},
      CudaWord{"__syncwarp", "void __syncwarp(unsigned mask = 0xffffffff)"},
      CudaWord{"__threadfence", "void __threadfence()"},
      CudaWord{"__threadfence_block", "void __threadfence_block()"},
      CudaWord{"atomicAdd", "T atomicAdd(T* address, T value)"},
      CudaWord{"atomicAnd", "T atomicAnd(T* address, T value)"},
      CudaWord{"atomicCAS", "T atomicCAS(T* address, T compare, T value)"},
      CudaWord{"atomicExch", "T atomicExch(T* address, T value)"},
      CudaWord{"atomicMax", "T atomicMax(T* address, T value)"},
      CudaWord{"atomicMin", "T atomicMin(T* address, T value)"},
      CudaWord{"atomicOr", "T atomicOr(T* address, T value)"},
      CudaWord{"atomicSub", "T atomicSub(T* address, T value)"},
      CudaWord{"atomicXor", "T atomicXor(T* address, T value)"},
      CudaWord{"blockDim", "dim3 blockDim"},
      CudaWord{"blockIdx", "uint3 blockIdx"},
      CudaWord{"clock64", "long long clock64()"},
      CudaWord{"cudaDeviceSynchronize", "cudaError_t cudaDeviceSynchronize()"},
      CudaWord{"cudaFree", "cudaError_t cudaFree(void* pointer)"},
      CudaWord{"cudaGetLastError", "cudaError_t cudaGetLastError()"},
      CudaWord{"cudaMalloc", "cudaError_t cudaMalloc(T** pointer, size_t bytes)"},
      CudaWord{"cudaMemcpy",
               "cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, kind)"},
      CudaWord{"dim3", "dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)"},
      CudaWord{"float4", "struct float4 { float x, y, z, w; }"},
      CudaWord{"fmaf", "float fmaf(float a, float b, float c)"},
      CudaWord{"gridDim", "dim3 gridDim"},
      CudaWord{"printf", "int printf(const char* format, ...)"},
      CudaWord{"threadIdx", "uint3 threadIdx"},
      CudaWord{"warpSize", "int warpSize"},
  };
  return kWords;
}

const CudaWord* cuda_word(std::string_view name) {
  const auto words = cuda_words();
  const auto found = std::ranges::lower_bound(words, name, {}, &CudaWord::name);
  return found == words.end() || found->name != name ? nullptr : &*found;
}

std::vector<std::string> completions_of(std::string_view typed, const std::set<std::string>& own) {
  constexpr std::size_t kLeastTyped = 3, kLongKeyword = 6;
  if (typed.size() < kLeastTyped) return {};
  const std::string begun = lab::case_folded(typed);
  std::set<std::string> found;
  const auto offer = [&](std::string_view word) {
    // "syncthreads" finds __syncthreads: few remember how many underscores there are.
    const std::string folded = lab::case_folded(word);
    const std::size_t bare = std::min(folded.find_first_not_of('_'), folded.size());
    const bool fits = folded.starts_with(begun) || folded.substr(bare).starts_with(begun);
    if (fits && word != typed) found.emplace(word);
  };
  for (const CudaWord& word : cuda_words()) offer(word.name);
  for (const std::string_view word : cuda_keywords()) {
    if (word.size() >= kLongKeyword) offer(word);
  }
  for (const std::string& word : own) offer(word);
  return {found.begin(), found.end()};
}

}  // namespace warpbook::gui
