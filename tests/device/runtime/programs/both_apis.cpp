// Programs that use the runtime and the driver API at once: the primary context, memory, streams and kernels are the same in both.
#include <array>
#include <cstddef>

#include "tests/device/runtime/programs/driver_program.hpp"

namespace {

using namespace program;

constexpr unsigned kThreads = 32;
constexpr std::size_t kBytes = kThreads * sizeof(int);

void* pointer_to(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// After a call of the runtime its primary context is current, and no cuInit is needed.
void runtime_first() {
  CUcontext context = nullptr, primary = nullptr;
  int count = 0;
  ok(cudaGetDeviceCount(&count));
  ok(cuCtxGetCurrent(&context));
  expect_true(context == nullptr);
  ok(cudaFree(nullptr));
  ok(cuCtxGetCurrent(&context));
  ok(cuDevicePrimaryCtxRetain(&primary, 0));
  expect_true(context != nullptr && context == primary);
  CUdeviceptr memory = 0;
  ok(cuMemAlloc(&memory, kBytes));
  // The runtime keeps it.
  ok(cuDevicePrimaryCtxRelease(0));
  ok(cudaMemset(pointer_to(memory), 1, kBytes));
  ok(cudaFree(pointer_to(memory)));
}

void memory() {
  const OwnContext context;
  int* x = nullptr;
  std::array<int, kThreads> host{};
  CUdeviceptr y = 0;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), kBytes));
  ok(cuMemAlloc(&y, kBytes));
  ok(cuMemsetD32(reinterpret_cast<CUdeviceptr>(x), 5, kThreads));
  ok(cudaMemcpy(pointer_to(y), x, kBytes, cudaMemcpyDeviceToDevice));
  ok(cuMemcpyDtoH(host.data(), y, kBytes));
  expect_equal(host[31], 5);
  ok(cuMemFree(reinterpret_cast<CUdeviceptr>(x)));
  ok(cudaFree(pointer_to(y)));
  // The runtime works in the context that is current.
  CUcontext owner = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), 4));
  ok(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, reinterpret_cast<CUdeviceptr>(x)));
  expect_true(owner == context.handle);
}

/// An error of the one is no last error of the other.
void errors() {
  CUdeviceptr memory = 0;
  ok(cudaFree(nullptr));
  expect(cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
  expect(cuMemcpyDtoH(nullptr, 0, 4), CUDA_ERROR_INVALID_VALUE);
  ok(cudaGetLastError());
}

void streams_and_events() {
  ok(cudaFree(nullptr));
  const CUmodule module = load_kernels();
  cudaStream_t stream = nullptr;
  CUevent done = nullptr;
  cudaEvent_t begin = nullptr;
  CUdeviceptr x = 0;
  ok(cudaStreamCreate(&stream));
  ok(cudaEventCreate(&begin));
  ok(cuEventCreate(&done, CU_EVENT_DEFAULT));
  ok(cuMemAlloc(&x, kBytes));
  ok(cuEventRecord(begin, stream));
  ok(launch(kernel_of(module, "set_to"), kThreads, stream, x, 3));
  ok(cudaEventRecord(done, stream));
  ok(cudaEventSynchronize(done));
  float milliseconds = 0;
  ok(cudaEventElapsedTime(&milliseconds, begin, done));
  expect_true(milliseconds > 0);
  ok(cuStreamDestroy(stream));
  if (is_on_warpbook()) expect(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  ok(cudaEventDestroy(done));
  ok(cuEventDestroy(begin));
  ok(cuMemFree(x));
}

/// A kernel that nvcc put into the program is one that the driver launches, and the other way round.
void kernels() {
  Kernels registered(kernels_file);
  register_all(registered);
  int* x = nullptr;
  std::array<int, kThreads> host{};
  cudaFunction_t function = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), kBytes));
  ok(cudaGetFuncBySymbol(&function, address_of(set_to)));
  ok(launch(function, kThreads, nullptr, x, 7));
  ok(cudaMemcpy(host.data(), x, kBytes, cudaMemcpyDefault));
  expect_equal(host[31], 7);
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  unsigned count = 0;
  ok(cudaLibraryLoadData(&library, kernels_text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  ok(cudaLibraryGetKernelCount(&count, library));
  expect_true(count > 10);
  ok(cudaLibraryGetKernel(&kernel, library, "add_to"));
  expect(cudaLibraryGetKernel(&kernel, library, "no_such_kernel"), cudaErrorSymbolNotFound);
  int five = 5;
  std::array<void*, 2> arguments = {&x, &five};
  ok(cudaLaunchKernel(kernel, dim3(1), dim3(kThreads), arguments.data(), 0, nullptr));
  ok(cudaMemcpy(host.data(), x, kBytes, cudaMemcpyDefault));
  expect_equal(host[31], 12);
  ok(cudaLibraryUnload(library));
  if (is_on_warpbook()) {
    expect(cudaLaunchKernel(kernel, dim3(1), dim3(kThreads), arguments.data(), 0, nullptr),
           cudaErrorInvalidDeviceFunction);
  }
  ok(cudaFree(x));
}

void entry_points() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  ok(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 13000, cudaEnableDefault, &status));
  expect_true(function == reinterpret_cast<void*>(&cuMemAlloc));
  expect_true(status == cudaDriverEntryPointSuccess);
  ok(cudaGetDriverEntryPointByVersion("cuCtxCreate", &function, 1000, cudaEnableDefault, &status));
  expect_true(function == nullptr && status == cudaDriverEntryPointVersionNotSufficent);
}

}  // namespace

int main(int argc, char** argv) {
  return main_of_driver(argc, argv,
                        {{"runtime-first", runtime_first},
                         {"memory", memory},
                         {"errors", errors},
                         {"streams-and-events", streams_and_events},
                         {"kernels", kernels},
                         {"entry-points", entry_points}});
}
