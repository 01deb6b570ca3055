// Any bytes at all as a PTX text: loaded, decoded and, where that went well, run for a little while.
// Whatever it is, the end is a record or a named error, within the budgets of memory and time.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "device/simulator/run/launch.hpp"

namespace {

using namespace warpbook::device;

constexpr std::uint64_t kMemory = 1u << 20;
constexpr double kSeconds = 5;  ///< of the processor, for an input of the fuzzer's size

Properties small_gpu() {
  Properties gpu;
  gpu.name = "fuzz";
  gpu.compute_capability = 90;
  gpu.multiprocessors = 2;
  gpu.max_threads_per_multiprocessor = 2048;
  gpu.shared_per_block_optin = 232448;
  gpu.global_bytes = kMemory;
  return gpu;
}

void fail(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

void run_kernel(const std::shared_ptr<const LoadedModule>& image, const KernelInfo& kernel,
                Pointer buffer) {
  // As the device asks before it launches (launch_check.cpp).
  if (kernel.static_shared > 49152 || kernel.required_cluster) return;
  std::uint64_t bytes = 0;
  for (const ParameterInfo& p : kernel.parameters) {
    if (p.alignment == 0 || p.alignment > 4096 || p.bytes > 4096) return;
    bytes = (bytes + p.alignment - 1) / p.alignment * p.alignment + p.bytes;
  }
  RunRequest request;
  request.module = image;
  request.kernel = kernel.mangled;
  request.grid = {2, 1, 1};
  request.block = kernel.required_block ? *kernel.required_block : Dim3{40, 1, 1};
  if (request.block.count() == 0 || request.block.count() > 128) return;
  request.parameters.resize(bytes);
  for (std::size_t at = 0; at + 8 <= bytes; at += 8)
    __builtin_memcpy(request.parameters.data() + at, &buffer, 8);
  request.host_threads = 1;
  request.budget.thread_instructions = 20'000;
  request.budget.output_bytes = 4096;
  request.budget.memory_bytes = 16u << 20;
  request.budget.seconds = 0.1;
  request.observe.trace_accesses = 64;
  const auto record = run(request);
  if (record && record->output.size() > request.budget.output_bytes) fail("too much output");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::clock_t begin = std::clock();
  Expected<ptx::Module> module =
      ptx::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
  if (!module) return 0;
  auto memory = std::make_shared<GlobalMemory>(kMemory);
  const Expected<std::shared_ptr<const LoadedModule>> image = load_module(
      std::move(*module), small_gpu(), memory, size % 2 == 0 ? HandlerSet::sse2 : HandlerSet::avx2);
  if (memory->committed() > kMemory) fail("more device memory than there is");
  if (image) {
    const auto buffer = memory->allocate("buffer", ElementType::f32, 4096);
    int left = 4;
    for (const KernelInfo& kernel : (*image)->kernels()) {
      if (left-- == 0) break;
      if ((*image)->prepare(kernel.mangled) && buffer) run_kernel(*image, kernel, *buffer);
    }
  }
  if (static_cast<double>(std::clock() - begin) > kSeconds * CLOCKS_PER_SEC) fail("too slow");
  return 0;
}
