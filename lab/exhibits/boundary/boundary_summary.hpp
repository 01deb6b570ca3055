// What the renderers of a boundary share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "lab/exhibits/boundary/boundary.hpp"

namespace warpbook::lab {

/// Samples that the network gets wrong in a frame.
std::uint64_t wrong_in(const BoundaryExhibit& boundary, std::size_t frame);
/// The share of the cells that have this class.
double share_of_class(const BoundaryExhibit& boundary, std::size_t frame, std::uint32_t which);
/// The frame of that step or the last one before it; without a step, the last. Nothing where there is none.
std::optional<std::size_t> frame_of_step(const BoundaryExhibit& boundary,
                                         const std::optional<std::uint64_t>& step);
/// "Step 20: 12 of 300 points are on the wrong side."
std::string frame_text(const BoundaryExhibit& boundary, std::size_t frame, const Strings& strings);

}  // namespace warpbook::lab
