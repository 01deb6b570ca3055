// Builds a whole CUDA program, host and device, with nvcc and the machine's C++ compiler. It is linked with a CUDA runtime that
// the caller names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/error.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/worker/limited_child.hpp"

namespace warpbook::device {

/// Runs a compiler as run_limited() does, with no more of the file system than the system's own files, those that it is to read and
/// the folder that it writes in.
using CompilerRunner = std::function<ChildOutcome(
    const ChildRequest& request, const std::vector<std::filesystem::path>& readable,
    const std::filesystem::path& writable, const std::stop_token& stop)>;

struct ProgramSources {
  std::vector<std::filesystem::path>
      files;  ///< .cu, .cpp, .cc, .cxx and .c; the first names the program
  std::vector<std::filesystem::path> include;  ///< folders, searched in this order
  std::vector<std::string> defines;            ///< NAME or NAME=VALUE, for host and device
  std::string standard;                   ///< "11", "14", "17" or "20"; empty: nvcc's own choice
  std::uint32_t compute_capability = 90;  ///< of the GPU that is to run it
  std::filesystem::path folder;   ///< what relative paths start from; empty: the current one
  std::filesystem::path runtime;  ///< the folder of the libcudart.so.13 to link
  // For programs that compile kernels themselves, with NVRTC; build_program() finds them.
  std::filesystem::path nvrtc;          ///< libnvrtc.so.13; empty: there is none
  std::filesystem::path nvrtc_headers;  ///< where nvcc's own headers lack NVRTC's; else empty
  double seconds = 300;                 ///< for each call of a compiler
  CompilerRunner runner;                ///< empty: compilers run with all rights of the user
  std::vector<std::filesystem::path> readable;  ///< by a runner's compilers, beside what was named
  std::stop_token stop;
};

struct BuiltProgram {
  std::filesystem::path
      executable;  ///< in the cache folder, which may drop it once other programs are built
  bool cached = false;
  std::string said;  ///< the compilers' warnings, whole
};

/// Builds the program, or finds it in the cache folder, where it is kept by the content of its sources and of all headers that
/// they include. Errors: build_error with all that the compiler said in `words`; library_missing where nvcc, the C++ compiler or
/// the runtime is not here; bad_argument, bad_define and file_unreadable for what was asked; compiler_died, compiler_timeout,
/// file_unwritable, cancelled.
Expected<BuiltProgram> build_program(const ProgramSources& sources);

}  // namespace warpbook::device
