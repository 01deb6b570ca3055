#include "device/compiler/host_headers.hpp"

#include <array>

#include "device/compiler/functional_header.hpp"
#include "device/compiler/vector_math_header.hpp"

namespace warpbook::device {
namespace {

// libcu++ defines the same names when it is compiled by NVRTC (cuda/std/cstdint, cuda/std/climits),
// and CUDA's headers some of them: types must be the same types, and macros the same tokens, or
// including both is an error.
constexpr const char* kStandardInteger = R"(#pragma once
#include <limits.h>
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int8_t int_least8_t, int_fast8_t;
typedef int16_t int_least16_t, int_fast16_t;
typedef int32_t int_least32_t, int_fast32_t;
typedef int64_t int_least64_t, int_fast64_t, intptr_t, intmax_t;
typedef uint8_t uint_least8_t, uint_fast8_t;
typedef uint16_t uint_least16_t, uint_fast16_t;
typedef uint32_t uint_least32_t, uint_fast32_t;
typedef uint64_t uint_least64_t, uint_fast64_t, uintptr_t, uintmax_t;
#define INT8_MIN SCHAR_MIN
#define INT16_MIN SHRT_MIN
#define INT32_MIN INT_MIN
#define INT64_MIN LLONG_MIN
#define INT8_MAX SCHAR_MAX
#define INT16_MAX SHRT_MAX
#define INT32_MAX INT_MAX
#define INT64_MAX LLONG_MAX
#define UINT8_MAX UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULLONG_MAX
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define SIZE_MAX UINT64_MAX
#define INT32_C(X) ((::int_least32_t)(X))
#define INT64_C(X) ((::int_least64_t)(X))
#define UINT32_C(X) ((::uint_least32_t)(X))
#define UINT64_C(X) ((::uint_least64_t)(X))
)";

constexpr const char* kStandardIntegerCpp = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
)";

constexpr const char* kStandardDefinitions = R"(#pragma once
#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
typedef decltype(nullptr) nullptr_t;
)";

constexpr const char* kStandardDefinitionsCpp = R"(#pragma once
#include <stddef.h>
namespace std {
using ::size_t; using ::ptrdiff_t; using ::nullptr_t;
}
)";

constexpr const char* kLimits = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-SHRT_MAX - 1)
#define SHRT_MAX 0x7fff
#define USHRT_MAX 0xffff
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 0x7fffffff
#define UINT_MAX 0xffffffff
#define LONG_MIN (-LONG_MAX - 1)
#define LONG_MAX LLONG_MAX
#define ULONG_MAX ULLONG_MAX
#define LLONG_MIN (-LLONG_MAX - 1)
#define LLONG_MAX 0x7fffffffffffffffLL
#define ULLONG_MAX 0xffffffffffffffffUL
)";

constexpr const char* kFloat = R"(#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_EPSILON 1.1920928955078125e-7f
#define FLT_MIN 1.17549435082228751e-38f
#define FLT_MAX 3.40282346638528860e+38f
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
)";

constexpr const char* kMath = R"(#pragma once
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#define HUGE_VALF __int_as_float(0x7f800000)
#endif
)";

constexpr const char* kMathCpp = R"(#pragma once
#include <math.h>
namespace std {
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2; using ::atanh;
using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp;
using ::exp2; using ::expm1; using ::fabs; using ::fdim; using ::floor; using ::fma; using ::fmax; using ::fmin;
using ::fmod; using ::frexp; using ::hypot; using ::ilogb; using ::isfinite; using ::isinf; using ::isnan;
using ::ldexp; using ::lgamma; using ::llrint; using ::llround; using ::log; using ::log10; using ::log1p;
using ::log2; using ::logb; using ::lrint; using ::lround; using ::modf; using ::nearbyint; using ::nextafter;
using ::pow; using ::remainder; using ::rint; using ::round; using ::scalbn; using ::signbit; using ::sin;
using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma; using ::trunc;
}
)";

constexpr const char* kAlgorithm = R"(#pragma once
namespace std {
template <class T>
__host__ __device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T>
__host__ __device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T>
__host__ __device__ constexpr const T& clamp(const T& v, const T& low, const T& high) {
  return v < low ? low : high < v ? high : v;
}
template <class T>
__host__ __device__ constexpr void swap(T& a, T& b) {
  T held = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(held);
}
}
)";

constexpr const char* kAssert = R"(#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern "C" __device__ void __assertfail(const char*, const char*, unsigned int, const char*, unsigned long);
#define assert(condition) \
  ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif
)";

// libcu++ has these for device code; a standard name is the same thing.
constexpr const char* kAliases = "\nnamespace std {\nusing namespace ::cuda::std;\n}\n";

std::string alias_of(const char* header) {
  return std::string("#pragma once\n#include <cuda/std/") + header + ">" + kAliases;
}

constexpr const char* kNothing = "#pragma once\n";

// glibc's sys/types.h and stdlib.h, as far as device code may use them.
constexpr const char* kSystemTypes = R"(#pragma once
typedef unsigned char u_char;
typedef unsigned short ushort, u_short;
typedef unsigned int uint, u_int;
typedef unsigned long ulong, u_long;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef long ssize_t;
)";

constexpr const char* kStandardLibrary = R"(#pragma once
#include <stddef.h>
#include <sys/types.h>
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
)";

constexpr const char* kStandardLibraryCpp = R"(#pragma once
#include <cstddef>
#include <stdlib.h>
namespace std {
using ::abs; using ::free; using ::labs; using ::llabs; using ::malloc;
}
)";

constexpr const char* kStringCpp = R"(#pragma once
#include <cstddef>
namespace std {
using ::memcpy; using ::memset;
}
)";

constexpr const char* kUnaskedText = R"(#pragma once
#include <stdlib.h>
#include <limits.h>
#include <cstdlib>
#include <cmath>
#include <algorithm>
)";

constexpr const char* kUnaskedByProgramsText = R"(#pragma once
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
)";

// The driver's handles are numbers.
constexpr const char* kHostHeadersDriver = R"(#pragma once
#ifndef CUDA_VERSION
#define CUDA_VERSION (1000 * __CUDACC_VER_MAJOR__ + 10 * __CUDACC_VER_MINOR__)
#endif
typedef unsigned long long CUdeviceptr, CUdeviceptr_v2, CUtexObject, CUsurfObject;
)";

// Names only: device code declares operators on streams and never calls them.
constexpr const char* kStreams = R"(#pragma once
#include <cstdint>
namespace std {
template <class T> struct char_traits;
template <class C, class T> class basic_istream;
template <class C, class T> class basic_ostream;
using istream = basic_istream<char, char_traits<char>>;
using ostream = basic_ostream<char, char_traits<char>>;
}
)";

constexpr const char* kFft = R"(#pragma once
#include <cuComplex.h>
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;
)";

// Its own header brings CUB's device-wide algorithms, which are host code.
constexpr const char* kCub = R"(#pragma once
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/thread/thread_reduce.cuh>
#include <cub/thread/thread_scan.cuh>
#include <cub/thread/thread_search.cuh>
#include <cub/thread/thread_sort.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
)";

constexpr const char* kSwap = R"(#pragma once
#include <cuda/std/utility>
namespace thrust {
using ::cuda::std::swap;
}
)";

// Only host code uses what they declare, and host code is left out.
constexpr std::array kOfTheHost{"alloca.h",
                                "complex.h",
                                "ctype.h",
                                "dirent.h",
                                "dlfcn.h",
                                "errno.h",
                                "fcntl.h",
                                "getopt.h",
                                "libgen.h",
                                "locale.h",
                                "malloc.h",
                                "memory.h",
                                "omp.h",
                                "pthread.h",
                                "sched.h",
                                "signal.h",
                                "stdarg.h",
                                "stdnoreturn.h",
                                "strings.h",
                                "sys/mman.h",
                                "sys/resource.h",
                                "sys/stat.h",
                                "sys/time.h",
                                "sys/timeb.h",
                                "sys/utsname.h",
                                "sys/wait.h",
                                "time.h",
                                "unistd.h",
                                "cctype",
                                "cerrno",
                                "cstdarg",
                                "csignal",
                                "ctime",
                                "any",
                                "bitset",
                                "charconv",
                                "codecvt",
                                "condition_variable",
                                "deque",
                                "exception",
                                "execution",
                                "filesystem",
                                "forward_list",
                                "future",
                                "initializer_list",
                                "iomanip",
                                "iterator",
                                "list",
                                "locale",
                                "map",
                                "memory",
                                "memory_resource",
                                "mutex",
                                "new",
                                "numeric",
                                "optional",
                                "queue",
                                "random",
                                "ranges",
                                "regex",
                                "set",
                                "shared_mutex",
                                "span",
                                "stack",
                                "stdexcept",
                                "string_view",
                                "system_error",
                                "thread",
                                "typeindex",
                                "typeinfo",
                                "unordered_map",
                                "unordered_set",
                                "valarray",
                                "variant",
                                "cublas.h",
                                "cublasLt.h",
                                "cublasXt.h",
                                "cublas_api.h",
                                "cublas_v2.h",
                                "cudaEGL.h",
                                "cudaGL.h",
                                "cudaProfiler.h",
                                "cudaTypedefs.h",
                                "cudaVDPAU.h",
                                "cuda_egl_interop.h",
                                "cuda_gl_interop.h",
                                "cuda_occupancy.h",
                                "cuda_profiler_api.h",
                                "cuda_vdpau_interop.h",
                                "cudnn.h",
                                "cupti.h",
                                "cusolverDn.h",
                                "cusolverMg.h",
                                "cusolverRf.h",
                                "cusolverSp.h",
                                "cusolver_common.h",
                                "cusparse.h",
                                "cusparse_v2.h",
                                "nccl.h",
                                "nvToolsExt.h",
                                "nvtx3/nvToolsExt.h",
                                "nvtx3/nvtx3.hpp",
                                "nvml.h",
                                "nvrtc.h",
                                "channel_descriptor.h",
                                "driver_functions.h",
                                "texture_fetch_functions.h",
                                "surface_functions.h",
                                "thrust/adjacent_difference.h",
                                "thrust/advance.h",
                                "thrust/binary_search.h",
                                "thrust/copy.h",
                                "thrust/count.h",
                                "thrust/device_allocator.h",
                                "thrust/device_delete.h",
                                "thrust/device_free.h",
                                "thrust/device_malloc.h",
                                "thrust/device_malloc_allocator.h",
                                "thrust/device_new.h",
                                "thrust/device_ptr.h",
                                "thrust/device_reference.h",
                                "thrust/device_vector.h",
                                "thrust/distance.h",
                                "thrust/equal.h",
                                "thrust/execution_policy.h",
                                "thrust/extrema.h",
                                "thrust/fill.h",
                                "thrust/find.h",
                                "thrust/for_each.h",
                                "thrust/gather.h",
                                "thrust/generate.h",
                                "thrust/host_vector.h",
                                "thrust/inner_product.h",
                                "thrust/logical.h",
                                "thrust/memory.h",
                                "thrust/merge.h",
                                "thrust/mismatch.h",
                                "thrust/partition.h",
                                "thrust/reduce.h",
                                "thrust/remove.h",
                                "thrust/replace.h",
                                "thrust/reverse.h",
                                "thrust/scan.h",
                                "thrust/scatter.h",
                                "thrust/sequence.h",
                                "thrust/set_operations.h",
                                "thrust/shuffle.h",
                                "thrust/sort.h",
                                "thrust/system/cuda/execution_policy.h",
                                "thrust/system/cuda/vector.h",
                                "thrust/system/omp/execution_policy.h",
                                "thrust/system_error.h",
                                "thrust/tabulate.h",
                                "thrust/transform.h",
                                "thrust/transform_reduce.h",
                                "thrust/transform_scan.h",
                                "thrust/uninitialized_copy.h",
                                "thrust/uninitialized_fill.h",
                                "thrust/unique.h",
                                "thrust/universal_ptr.h",
                                "thrust/universal_vector.h"};

using Headers = std::vector<std::pair<std::string, std::string>>;

Headers all_headers() {
  Headers headers{
      {kUnasked, kUnaskedText},
      {kUnaskedByPrograms, kUnaskedByProgramsText},
      {"stdint.h", kStandardInteger},
      {"inttypes.h", "#pragma once\n#include <stdint.h>\n"},
      {"cstdint", kStandardIntegerCpp},
      {"cinttypes", "#pragma once\n#include <cstdint>\n"},
      {"stddef.h", kStandardDefinitions},
      {"cstddef", kStandardDefinitionsCpp},
      {"limits.h", kLimits},
      {"climits", "#pragma once\n#include <limits.h>\n"},
      {"float.h", kFloat},
      {"cfloat", "#pragma once\n#include <float.h>\n"},
      {"math.h", kMath},
      {"cmath", kMathCpp},
      {"algorithm", kAlgorithm},
      {"utility", "#pragma once\n#include <algorithm>\n"},
      {"assert.h", kAssert},
      {"cassert", kAssert},
      {"stdbool.h", kNothing},
      {"cstdbool", kNothing},
      {"stdio.h", "#pragma once\n#include <stddef.h>\n"},
      {"cstdio", "#pragma once\n#include <cstddef>\n"},
      {"sys/types.h", kSystemTypes},
      {"stdlib.h", kStandardLibrary},
      {"cstdlib", kStandardLibraryCpp},
      {"string.h", "#pragma once\n#include <stddef.h>\n"},
      {"cstring", kStringCpp},
      {"chrono", "#pragma once\nnamespace std {\nnamespace chrono {}\n}\n"},
      {"limits", alias_of("limits")},
      {"type_traits", alias_of("type_traits")},
      {"array", alias_of("array")},
      {"tuple", alias_of("tuple")},
      {"complex", alias_of("complex")},
      {"bits/stdc++.h",
       "#pragma once\n#include <cstdint>\n#include <climits>\n#include <cfloat>\n"},
      {"cub/cub.cuh", kCub},
      {"cuda.h", kHostHeadersDriver},
      {"cufft.h", kFft},
      {"cufftXt.h", "#pragma once\n#include <cufft.h>\n"},
      {"functional", kFunctional},
      {"thrust/swap.h", kSwap},
      {"helper_math.h", kVectorMath},
      {"cutil_math.h", kVectorMath},
  };
  for (const char* name : {"fstream", "ios", "iosfwd", "iostream", "istream", "ostream", "sstream"})
    headers.emplace_back(name, kStreams);
  for (const char* name : {"string", "vector"})
    headers.emplace_back(name, "#pragma once\n#include <cstdint>\n");
  for (const char* name : kOfTheHost) headers.emplace_back(name, kNothing);
  return headers;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& host_headers() {
  static const Headers headers = all_headers();
  return headers;
}

}  // namespace warpbook::device
