// How well colours are told from one another.
#pragma once

#include "lab/markup/palette.hpp"

namespace warpbook::lab {

/// From 1 to 21 (WCAG 2.2, "contrast ratio"): 4.5 is asked of text, 3 of whatever else has to be seen.
double contrast(Rgb a, Rgb b);

}  // namespace warpbook::lab
