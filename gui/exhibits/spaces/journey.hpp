// A value's way over the picture of the memory spaces, and the list of its steps below.
#pragma once

#include "gui/exhibits/exhibit.hpp"
#include "lab/exhibits/spaces/spaces_picture.hpp"

namespace warpbook::gui {

/// Draws path and stations at the frame's corner; a press on a station goes there. The part that is still to come is dashed.
void draw_way(const Frame& frame, const lab::SpacesExhibit::Journey& journey,
              const lab::SpacesPicture& picture);
/// The step that is shown, in words, with the ones around it; gives back the height that it takes.
float journey_steps(const Frame& frame, const lab::SpacesExhibit::Journey& journey);

}  // namespace warpbook::gui
