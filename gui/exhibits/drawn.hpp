// What the panels share whose pictures are laid out in lab/: a picture is kept until what decides it changes, and its areas
// are pointed at.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "gui/exhibits/exhibit.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::gui {

/// A canvas as wide as the frame.
lab::Canvas canvas_for(const FigureArea& area);

/// What decides every picture: the frame's width, the exhibit beside it, the language.
FigureInputs inputs_of(const FigureArea& area);

/// Where the parts of an exhibit's picture lie, worked out once for a frame's width, exhibit beside it and language. `of`: the
/// exhibit, of which one layout is kept.
template <class Layout, class Make>
const Layout& kept_layout(const FigureArea& area, const void* of, Make&& make) {
  constexpr std::uint64_t kLayoutPart = 1ull << 36;  // under which the cache keeps it
  return area.ui.cache.latest<Layout>(of, kLayoutPart, inputs_of(area), std::forward<Make>(make));
}

/// The drawing of an exhibit, made anew where `inputs` (what the reader points at or has chosen) or those of the frame are
/// others than before. `of`: the exhibit.
const lab::Drawing& kept_drawing(const FigureArea& area, const void* of, const FigureInputs& inputs,
                                 const std::function<lab::Drawing()>& make);
/// The same, and draws it at the area's corner.
const lab::Drawing& draw_kept(const FigureArea& area, const void* of, const FigureInputs& inputs,
                              const std::function<lab::Drawing()>& make);

/// An invisible item of ImGui over an area of the picture at `corner`; true when pressed.
bool item_over(const char* id, ImVec2 corner, const lab::Area& area);
/// Where the mouse is in the picture at `corner`.
lab::Point mouse_in(ImVec2 corner);

}  // namespace warpbook::gui
