// One exhibit's panel as a picture of its own, drawn with the OpenGL context that is current.
#pragma once

#include "gui/book/book.hpp"
#include "gui/draw/png.hpp"

namespace warpbook::gui {

/// `width` is in points, and `scale` the pixels per point. Marks what is linked in the book. Error: no_offscreen.
device::Expected<Pixels> panel_picture(const Book& book, const lab::Exhibit& exhibit, float width,
                                       float scale);

}  // namespace warpbook::gui
