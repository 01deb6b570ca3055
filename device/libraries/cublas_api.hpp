// cuBLAS's functions and constants, taken from the library at run time.
#pragma once

namespace warpbook::device::libraries {

struct CublasApi {
#define WARPBOOK_CUBLAS(result, name, symbol, parameters) result(*name) parameters = nullptr;
#include "device/libraries/cublas_api.inc"
#undef WARPBOOK_CUBLAS
};

/// As cublas_api.h and library_types.h of CUDA 13 have them.
namespace cublas {
inline constexpr int kSuccess = 0;
inline constexpr int kNotTransposed = 0;
inline constexpr int kDefaultAlgorithm = -1;
inline constexpr int kReal32 = 0, kReal16 = 2, kReal16Brain = 14;
inline constexpr int kCompute32 = 68, kCompute32Tf32 = 77;
inline constexpr int kMajorVersion = 0, kMinorVersion = 1, kPatchLevel = 2;
}  // namespace cublas

}  // namespace warpbook::device::libraries
