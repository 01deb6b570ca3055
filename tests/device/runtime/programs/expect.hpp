// How the programs beside this file check the runtime: each says what is not as CUDA documents it, and otherwise only "done".
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

inline void expect_error(int line, const char* call, cudaError_t got, cudaError_t wanted) {
  if (got != wanted) {
    std::printf("line %d: %s gives %s, not %s\n", line, call, cudaGetErrorName(got),
                cudaGetErrorName(wanted));
  }
  cudaGetLastError();
}

inline void expect_that(int line, const char* text, bool holds) {
  if (!holds) std::printf("line %d: not so: %s\n", line, text);
}

#define EXPECT(call, error) expect_error(__LINE__, #call, (call), error)
#define OK(call) EXPECT(call, cudaSuccess)
#define THAT(condition) expect_that(__LINE__, #condition, (condition))
