// Draws a picture's display list into ImGui's, in a theme's colours. Lines are drawn through, in dashes or in dots, so that no
// colour stands alone.
#pragma once

#include <span>

#include <imgui.h>

#include "gui/draw/ink.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::gui {

/// With the drawing's corner at `corner`. What lies outside the clip rectangle is left out.
void draw(const Ink& ink, const Theme& theme, const lab::Drawing& drawing, ImVec2 corner);

/// Texts are measured by the faces that `ink` draws with, which must live as long as the canvas.
lab::Canvas canvas_for(const Ink& ink, const lab::Strings& strings, float width);

/// Joins the points; dashes go on round corners.
void stroke(ImDrawList& list, std::span<const ImVec2> points, Colour colour, float thickness,
            const lab::Dash& dash = lab::kThrough);

}  // namespace warpbook::gui
