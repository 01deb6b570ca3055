// Our declarations of cuDNN's, cuBLAS's and the driver's functions against NVIDIA's own headers, where those are installed:
// what differs does not compile.
#include <catch2/catch_test_macros.hpp>

#include <type_traits>

#include "device/libraries/cublas_api.hpp"
#include "device/libraries/cudnn_api.hpp"

#if __has_include(<cudnn.h>) && __has_include(<cublas_v2.h>)
#pragma GCC diagnostic ignored "-Wpedantic"
#include <cublas_v2.h>
#include <cudnn.h>

namespace warpbook::tests {
namespace {

namespace libraries = device::libraries;

/// A type as the calling convention sees it: an enumeration is an int, and what a pointer points to does not matter
/// unless it is a number or another pointer.
template <class T>
struct Plain {
  using type = std::conditional_t<std::is_enum_v<T>, int, T>;
};
template <class T>
struct Plain<T*> {
  using Target = std::remove_const_t<T>;
  using type = std::conditional_t<
      std::is_pointer_v<Target>, void**,
      std::conditional_t<std::is_enum_v<Target>, int*,
                         std::conditional_t<std::is_arithmetic_v<Target>, Target*, void*>>>;
};
template <>
struct Plain<unsigned long long> {
  using type = unsigned long;
};
template <>
struct Plain<unsigned long long*> {
  using type = unsigned long*;
};
template <class Result, class... Parameters>
struct Plain<Result (*)(Parameters...)> {
  using type = typename Plain<Result>::type (*)(typename Plain<Parameters>::type...);
};
template <class Ours, class Theirs>
inline constexpr bool kAlike =
    std::is_same_v<typename Plain<Ours>::type, typename Plain<Theirs>::type>;

static_assert(sizeof(cudnnDataType_t) == sizeof(int));
static_assert(kAlike<int (*)(void*), cudnnStatus_t (*)(cudnnHandle_t)>);
static_assert(!kAlike<int (*)(void*, int), cudnnStatus_t (*)(cudnnHandle_t)>);
static_assert(!kAlike<int (*)(std::int64_t), int (*)(int)>);

#define WARPBOOK_CUDNN(result, name, parameters) \
  static_assert(kAlike<decltype(libraries::CudnnApi::name), decltype(&cudnn##name)>, #name);
#include "device/libraries/cudnn_api.inc"
#undef WARPBOOK_CUDNN

#define WARPBOOK_CUDNN_CONSTANT(name, its_name, value) \
  static_assert(libraries::cudnn::name == static_cast<int>(its_name), #its_name);
#include "device/libraries/cudnn_constants.inc"
#undef WARPBOOK_CUDNN_CONSTANT

// The header declares cublasGemmEx a second time, for C++'s older compute types.
using GemmEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                  int, const void*, const void*, cudaDataType, int, const void*,
                                  cudaDataType, int, const void*, void*, cudaDataType, int,
                                  cublasComputeType_t, cublasGemmAlgo_t);
static_assert(kAlike<decltype(libraries::CublasApi::GemmEx), GemmEx>);
static_assert(kAlike<decltype(libraries::CublasApi::Create), decltype(&cublasCreate_v2)>);
static_assert(kAlike<decltype(libraries::CublasApi::SetStream), decltype(&cublasSetStream_v2)>);
static_assert(kAlike<decltype(libraries::CublasApi::GetProperty), decltype(&cublasGetProperty)>);
static_assert(
    kAlike<decltype(libraries::CublasApi::GetStatusName), decltype(&cublasGetStatusName)>);
static_assert(
    kAlike<decltype(libraries::CublasApi::GetStatusString), decltype(&cublasGetStatusString)>);
static_assert(libraries::cublas::kNotTransposed == CUBLAS_OP_N);
static_assert(libraries::cublas::kDefaultAlgorithm == CUBLAS_GEMM_DEFAULT);
static_assert(libraries::cublas::kReal32 == CUDA_R_32F && libraries::cublas::kReal16 == CUDA_R_16F);
static_assert(libraries::cublas::kReal16Brain == CUDA_R_16BF);
static_assert(libraries::cublas::kCompute32 == CUBLAS_COMPUTE_32F);
static_assert(libraries::cublas::kCompute32Tf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(libraries::cublas::kMinorVersion == MINOR_VERSION);
static_assert(libraries::cublas::kPatchLevel == PATCH_LEVEL);

}  // namespace
}  // namespace warpbook::tests

TEST_CASE("Our declarations of NVIDIA's libraries are those of its headers") {
  SUCCEED("this file compiled");
}

#else

TEST_CASE("Our declarations of NVIDIA's libraries are those of its headers") {
  SKIP("cudnn.h, cublas_v2.h or cuda.h is not installed");
}

#endif
