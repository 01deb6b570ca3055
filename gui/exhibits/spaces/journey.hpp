// A value's way over the picture of the memory spaces, and the list of its steps below.
#pragma once

#include "gui/exhibits/exhibit.hpp"
#include "lab/exhibits/spaces/spaces_picture.hpp"

namespace warpbook::gui {

/// What pointing at the stations of the picture and pressing them does: a press on a station goes there. Gives back how far the
/// way is to be drawn.
lab::SpacesJourneyState point_at_stops(const FigureArea& area,
                                       const lab::SpacesExhibit::Journey& journey,
                                       const lab::SpacesPicture& picture);
/// The step that is shown, in words, with the ones around it; gives back the height that it takes.
float journey_steps(const FigureArea& area, const lab::SpacesExhibit::Journey& journey);

}  // namespace warpbook::gui
