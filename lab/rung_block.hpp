// The machine-read block `//@` that opens every kernel file.
#pragma once

#include <string>
#include <string_view>

#include "lab/operation.hpp"

namespace warpbook::lab {

/// Reads the `//@ key: value` lines at the head of `source` into a rung. Keys: idea, kernel, block, grid, shared, needs,
/// defines (NAME=VALUE, ...), bytes, flops; idea, block and grid must be there. `path` is "kernels/add/01_guarded.cu":
/// the operation, the number and the name come from it. Errors: bad_rung, with the line.
device::Expected<Rung> parse_rung(const std::string& path, std::string_view source);

/// "16, 16" -> {"16", "16"}; commas inside parentheses do not part.
std::vector<std::string> split_expressions(std::string_view text);

}  // namespace warpbook::lab
