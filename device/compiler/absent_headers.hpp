// A program written for nvcc includes the headers of its host code: helper_cuda.h, GL/glut.h, mpi.h. Its kernels seldom need
// them, so absent ones are left out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// Replaces the includes of headers that are nowhere to be found by spaces, and gives a warning for each. Includes of an
/// absolute path stay, so that the compiler refuses them. `includes` are the toolkit's folders.
std::vector<Diagnostic> leave_out_absent_headers(
    std::string& source, std::string_view name, const std::vector<std::filesystem::path>& includes);

/// The first error of a program that does not compile, `text`. Where it is of a name that nobody declared, with the
/// headers that were left out and what to do about them.
Message with_advice_on_headers(std::string text, const std::vector<Diagnostic>& diagnostics);

}  // namespace warpbook::device
