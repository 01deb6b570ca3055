// The accesses of the source, a line each, with what each moved in the whole launch.
#pragma once

#include <cstddef>
#include <optional>

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

/// The first of them; the others are left to the other renderers.
float sector_places_height(const lab::SectorsExhibit& sectors);
/// Draws them at the area's corner, the chosen one marked; gives back the one that was pressed.
std::optional<std::size_t> sector_places(const FigureArea& area, const lab::SectorsExhibit& sectors,
                                         std::optional<std::size_t> chosen);

}  // namespace warpbook::gui
