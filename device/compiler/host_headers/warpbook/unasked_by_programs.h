#pragma once
#include <warpbook/unasked.h>
#include <cstdint>
#include <float.h>
#include <cstring>
#if !defined(__linux__) && !defined(_WIN32)
#define __linux__ 1
#endif
#define __extension__
// What the host's compiler says of the machine, nvcc says of the device: undefined, the byte order would equal every
// other. Floating-point limits are libcu++'s tokens.
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __CHAR_BIT__ 8
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SCHAR_MAX__ SCHAR_MAX
#define __SHRT_MAX__ SHRT_MAX
#define __INT_MAX__ INT_MAX
#define __LONG_MAX__ LONG_MAX
#define __LONG_LONG_MAX__ LLONG_MAX
#define __FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F
#define __FLT_MIN__ 1.17549435082228750796873653722224568e-38F
#define __FLT_MAX__ 3.40282346638528859811704183484516925e+38F
#define __DBL_EPSILON__ 2.22044604925031308084726333618164062e-16
#define __DBL_MIN__ 2.22507385850720138309023271733240406e-308
#define __DBL_MAX__ 1.79769313486231570814527423731704357e+308
// Templates, so that a header which has the functions themselves may follow.
#if __CUDA_ARCH__ >= 900
template <int = 0> __device__ __forceinline__ void cudaGridDependencySynchronize() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
template <int = 0> __device__ __forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#endif
