// Lines of pictures: drawn through, in dashes or in dots, so that no colour stands alone.
#pragma once

#include <vector>

#include <imgui.h>

#include "gui/draw/theme.hpp"

namespace warpbook::gui {

/// Lengths of a dash and of the gap behind it; no dash: drawn through.
struct Dash {
  float on = 0, off = 0;
};
inline constexpr Dash kThrough{}, kDashes{9, 5}, kDots{2, 5};

/// Joins the points; dashes go on round corners.
void stroke(ImDrawList& list, const std::vector<ImVec2>& points, Colour colour, float thickness,
            const Dash& dash = kThrough);

}  // namespace warpbook::gui
