// Two reports held against each other.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "lab/model/report.hpp"

namespace warpbook::lab {

/// Runs A and B. `ids` are the exhibits that are compared, all where there are none; sources are compared whatever they say.
/// Never fails: what a run does not have is said.
ComparisonExhibit compare(const Report& a, const Report& b, std::span<const std::string> ids = {});
/// As an exhibit "comparison", with what the runs are called.
Exhibit comparison_of(const Report& a, const Report& b, Message name_a, Message name_b,
                      std::span<const std::string> ids = {});

/// How far two arrays are apart, element by element. `of` is left to the caller.
ComparisonExhibit::Output output_of(const TensorExhibit& a, const TensorExhibit& b);
/// Two texts by their lines, with three neighbours of what differs. At most 400 lines are kept.
ComparisonExhibit::Source source_of(const SourceExhibit& a, const SourceExhibit& b);

}  // namespace warpbook::lab
