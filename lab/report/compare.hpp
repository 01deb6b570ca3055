// Two reports in relation.
#pragma once

#include <span>
#include <string>

#include "lab/report/report.hpp"

namespace warpbook::lab {

/// Runs A and B. `ids` are the exhibits that are compared, all where there are none; sources are compared in any case. Never
/// fails: what a run does not have is part of what is compared.
ComparisonExhibit compare(const Report& a, const Report& b, std::span<const std::string> ids = {});
/// As an exhibit "comparison", with what the runs are called.
Exhibit comparison_of(const Report& a, const Report& b, Message name_a, Message name_b,
                      std::span<const std::string> ids = {});

}  // namespace warpbook::lab
