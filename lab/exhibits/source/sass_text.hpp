// Machine code in words.
#pragma once

#include <string>

#include "device/sass/sass.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

/// What it is and where its figures come from, then an instruction a line, `width` columns wide.
std::string to_text(const device::Sass& sass, const Strings& strings, int width);

}  // namespace warpbook::lab
