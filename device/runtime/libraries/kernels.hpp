// The kernels of a drop-in library, as the program's runtime sees them: registered like those that nvcc puts into a program, and
// launched by name. So the report and the timeline show them beside the program's own.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpbook::device::libraries {

/// How many threads each block of an elementwise kernel has.
inline constexpr unsigned kBlock = 256;

/// Blocks of `block` threads that cover `n` elements; one where there is none.
inline unsigned blocks_for(std::int64_t n, std::int64_t block = kBlock) {
  return n <= 0 ? 1u : static_cast<unsigned>((n + block - 1) / block);
}

class Kernels {
 public:
  /// Registers every kernel of the PTX, which has to outlive this.
  explicit Kernels(std::string_view ptx);
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;
  ~Kernels() = delete;  ///< a library's kernels last as long as the process

  /// Launches the kernel of that name. Each argument has exactly the type that the kernel declares. Errors: those of
  /// cudaLaunchKernel.
  template <class... A>
  cudaError_t launch(std::string_view name, dim3 grid, dim3 block, cudaStream_t stream,
                     A... arguments) const {
    void* pointers[] = {reinterpret_cast<void*>(&arguments)..., nullptr};
    return cudaLaunchKernel(function_of(name), grid, block, pointers, 0, stream);
  }

 private:
  /// What stands for the kernel in calls of the runtime; null where the PTX has none of that name.
  [[nodiscard]] const void* function_of(std::string_view name) const;

  std::string image_;
  struct Wrapper {
    std::int32_t magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    void* prelinked = nullptr;
  } wrapper_;
  /// By name; the runtime knows a kernel by the address of its name here.
  std::map<std::string, std::string, std::less<>> functions_;
};

}  // namespace warpbook::device::libraries
