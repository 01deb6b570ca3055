// The profiler's two functions. NVIDIA has this header in a wheel of its own; where it is here, it is taken.
#pragma once

#include <cuda_runtime_api.h>

#if __has_include_next(<cuda_profiler_api.h>)
#include_next <cuda_profiler_api.h>
#else
#ifdef __cplusplus
extern "C" {
#endif
extern __host__ cudaError_t CUDARTAPI cudaProfilerStart(void);
extern __host__ cudaError_t CUDARTAPI cudaProfilerStop(void);
#ifdef __cplusplus
}
#endif
#endif
