// Bars: what their renderers share.
#pragma once

#include <cstddef>

#include "lab/exhibits/bars/bars.hpp"

namespace warpbook::lab {

/// Where a group's scale ends: at its longest bar, here and in the exhibit that stands beside it and has the same groups.
double end_of_scale(const BarsExhibit& bars, std::size_t group, const BarsExhibit* beside);

/// Whether all groups, of which there are several, have the same labels in the same order: then a row for each label says all of
/// them side by side.
bool have_same_labels(const BarsExhibit& bars);

}  // namespace warpbook::lab
