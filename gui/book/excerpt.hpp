// A few lines of a file around the one that an error is about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/error.hpp"

namespace warpbook::gui {

/// Neighbouring lines of a file, unchanged.
struct Excerpt {
  std::uint32_t first = 0;  ///< number of the first line
  std::vector<std::string> lines;
};
/// The line and its neighbours; empty where the file or the line is not there.
Excerpt excerpt_of(const std::string& root, const device::SourcePlace& place);

}  // namespace warpbook::gui
