// Kernel sources as files below the root.
#pragma once

#include <string>
#include <string_view>

#include "device/error.hpp"

namespace warpbook::lab {

/// A text file below the root, by its relative path. A path that leads out of the root is refused.
/// Errors: file_unreadable, not_utf8.
device::Expected<std::string> read_source_file(const std::string& root, const std::string& path);

/// `source` without its leading `//@` block, which is for machines, and without the empty lines after it.
std::string without_rung_block(std::string_view source);

}  // namespace warpbook::lab
