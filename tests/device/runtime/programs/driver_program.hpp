// As program.hpp, for programs of the driver API, with its documented answers.
#pragma once

#include "tests/device/runtime/programs/stubs.hpp"

// Behind ours, since its macros rename functions.
#include <cuda.h>

namespace program {

inline const char* name_of(CUresult result) {
  const char* name = "none";
  (void)cuGetErrorName(result, &name);
  return name;
}

inline void expect(CUresult got, CUresult documented,
                   std::source_location at = std::source_location::current()) {
  if (got == documented) return;
  ++failures;
  std::printf("line %u: %s, documented: %s\n", static_cast<unsigned>(at.line()), name_of(got),
              name_of(documented));
}
inline void ok(CUresult got, std::source_location at = std::source_location::current()) {
  expect(got, CUDA_SUCCESS, at);
}

/// PTX of kernels.cu, the first argument of every program.
inline const char* kernels_file;
inline std::string kernels_text;

/// The first device with a context of the program's own.
class OwnContext {
 public:
  OwnContext() {
    CUctxCreateParams parameters{};
    ok(cuInit(0));
    ok(cuDeviceGet(&device, 0));
    ok(cuCtxCreate(&handle, &parameters, 0, device));
  }
  OwnContext(const OwnContext&) = delete;
  OwnContext& operator=(const OwnContext&) = delete;
  ~OwnContext() { ok(cuCtxDestroy(handle)); }

  CUdevice device = 0;
  CUcontext handle = nullptr;
};

/// A kernel of kernels.cu, by its name.
inline CUfunction kernel_of(CUmodule module, const char* name) {
  CUfunction function = nullptr;
  ok(cuModuleGetFunction(&function, module, name));
  return function;
}

inline CUmodule load_kernels() {
  CUmodule module = nullptr;
  ok(cuModuleLoadData(&module, kernels_text.c_str()));
  return module;
}

/// Launches a kernel with one block, and its arguments one by one.
template <class... A>
CUresult launch(CUfunction function, unsigned threads, CUstream stream, A... arguments) {
  void* pointers[] = {&arguments..., nullptr};
  return cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, pointers, nullptr);
}

inline int main_of_driver(int argc, char** argv, std::initializer_list<Case> cases) {
  if (argc != 3) return 101;
  if (std::string_view(argv[2]) == "--cases") return list_cases(cases);
  kernels_file = argv[1];
  std::ifstream stream(kernels_file, std::ios::binary);
  kernels_text.assign(std::istreambuf_iterator<char>(stream), {});
  const int failed = run_case(argv[2], cases);
  std::fflush(stdout);
  return failed;
}

}  // namespace program
