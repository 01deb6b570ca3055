// What nvcc and the linker are asked to do: arguments alone, nothing is run here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"
#include "device/nvcc/build_program.hpp"

namespace warpbook::device {

/// One source on its way to an object.
struct Translation {
  std::filesystem::path source;  ///< as the caller named it
  std::filesystem::path object;  ///< to be written
  std::filesystem::path
      dependencies;  ///< to be written: a rule of make that names every file that was read
  bool openmp = false;
  bool separate = false;  ///< device code that is linked with that of other files (-rdc=true)
};

/// The headers that stand in front of CUDA's own and bring back what CUDA 12 and 13 removed.
std::filesystem::path removed_headers();

/// Error: bad_argument or bad_define for what nvcc could not be given.
Expected<void> check(const ProgramSources& sources);

/// Where headers of libraries (cuBLAS and its like) are, in the order of search: NVIDIA's in a toolkit and in what `./warpbook fetch
/// libraries` brought; then those of our own libraries, which declare what these have.
std::vector<std::filesystem::path> library_headers();

/// The functions of such libraries that a linker did not find, by what it said: ours do not have them.
std::vector<std::string> missing_library_functions(std::string_view said);

/// nvcc hands its arguments on by a shell, in double quotes, and so expands `$`, `` ` `` and `\` in the name of a file. Error:
/// bad_argument.
Expected<void> check_for_shell(const std::vector<std::string>& arguments);

std::vector<std::string> compile_arguments(const ProgramSources& sources,
                                           const Translation& translation);

/// For g++: it makes one program of `parts`, objects and C++ sources.
std::vector<std::string> link_arguments(const ProgramSources& sources,
                                        const std::vector<std::filesystem::path>& parts,
                                        bool openmp, const std::filesystem::path& executable);

/// Whether a source includes OpenMP's header or has one of its pragmas, be it in a comment.
bool uses_openmp(std::string_view source);

/// Whether a source is compiled for the GPU as well.
bool is_cuda(const std::filesystem::path& source);

}  // namespace warpbook::device
