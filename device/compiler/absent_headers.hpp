// A program written for nvcc includes what its host code needs: helper_cuda.h, GL/glut.h, mpi.h. Its
// kernels seldom need them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// Takes the includes that nobody can answer out of `source`, leaving spaces, and says so in a warning
/// for each. Those with an absolute path stay, for the compiler to refuse. `includes` are the toolkit's
/// folders.
std::vector<Diagnostic> leave_out_absent_headers(
    std::string& source, std::string_view name, const std::vector<std::filesystem::path>& includes);

/// What to add to the first error of a program that does not compile: where it is of a name that nobody
/// declared, the headers that were left out and what to do about them. Else empty.
std::string advice_on_headers(const std::vector<Diagnostic>& diagnostics);

}  // namespace warpbook::device
