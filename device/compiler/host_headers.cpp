#include "device/compiler/host_headers.hpp"

#include <algorithm>
#include <array>

namespace warpbook::device {
namespace {

// libcu++ has these for device code, and a standard name is an alias of its name there.
std::string alias_of(const char* header) {
  return std::string("#pragma once\n#include <cuda/std/") + header +
         ">\nnamespace std {\nusing namespace ::cuda::std;\n}\n";
}

constexpr const char* kNothing = "#pragma once\n";

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
  Headers headers;
  for (const HostHeaderFile& each : host_header_files()) headers.emplace_back(each.name, each.text);
  const auto file = [](std::string_view name) {
    return std::string(std::ranges::find(host_header_files(), name, &HostHeaderFile::name)->text);
  };
  const Headers aliases{
      {"inttypes.h", "#pragma once\n#include <stdint.h>\n"},
      {"cinttypes", "#pragma once\n#include <cstdint>\n"},
      {"climits", "#pragma once\n#include <limits.h>\n"},
      {"cfloat", "#pragma once\n#include <float.h>\n"},
      {"utility", "#pragma once\n#include <algorithm>\n"},
      {"cassert", file("assert.h")},
      {"stdbool.h", kNothing},
      {"cstdbool", kNothing},
      {"stdio.h", "#pragma once\n#include <stddef.h>\n"},
      {"cstdio", "#pragma once\n#include <cstddef>\n"},
      {"string.h", "#pragma once\n#include <stddef.h>\n"},
      {"chrono", "#pragma once\nnamespace std {\nnamespace chrono {}\n}\n"},
      {"limits", alias_of("limits")},
      {"type_traits", alias_of("type_traits")},
      {"array", alias_of("array")},
      {"tuple", alias_of("tuple")},
      {"complex", alias_of("complex")},
      {"bits/stdc++.h",
       "#pragma once\n#include <cstdint>\n#include <climits>\n#include <cfloat>\n"},
      {"cufftXt.h", "#pragma once\n#include <cufft.h>\n"},
      {"cutil_math.h", file("helper_math.h")},
  };
  headers.insert(headers.end(), aliases.begin(), aliases.end());
  for (const char* name : {"fstream", "ios", "iosfwd", "iostream", "istream", "sstream"})
    headers.emplace_back(name, "#pragma once\n#include <ostream>\n");
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
