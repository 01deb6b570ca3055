// The picture of more threads and elements than have columns, under mouse and keyboard.
#pragma once

#include "gui/exhibits/exhibit.hpp"
#include "lab/exhibits/accesses/accesses.hpp"

namespace warpbook::gui {

/// Gives back its height.
float draw_bands(const FigureArea& area, const lab::AccessesExhibit& accesses);

}  // namespace warpbook::gui
