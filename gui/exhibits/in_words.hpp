// An exhibit in words, for whoever cannot see its picture, or wants to read its figures.
#pragma once

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

/// Title, where the figures come from, the sentence that the data says, and all figures, as a terminal prints them; gives back the height.
float in_words(const FigureArea& area, const lab::Exhibit& exhibit);

}  // namespace warpbook::gui
