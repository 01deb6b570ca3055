// What nvcc, the host's compiler and the linker say of a program, as diagnostics with lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/program.hpp"

namespace warpbook::lab {

/// `words` are all that was said while a file `name` with the text `source` was built in `folder`. Nothing in the result names a
/// folder of this machine. Line 0: the whole program.
std::vector<device::Diagnostic> diagnostics_of_build(std::string_view words,
                                                     const std::string& name,
                                                     std::string_view source,
                                                     const std::string& folder);

}  // namespace warpbook::lab
