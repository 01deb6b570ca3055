// One exhibit's panel as a picture of its own, drawn with the OpenGL context that is current.
#pragma once

#include "gui/book/book.hpp"
#include "gui/draw/png.hpp"

namespace warpbook::gui {

/// `width` in points; as many pixels each as `scale` says. What is linked in the book is linked here. Error: no_offscreen.
device::Expected<Pixels> panel_picture(const Book& book, const lab::Exhibit& exhibit, float width,
                                       float scale);

}  // namespace warpbook::gui
