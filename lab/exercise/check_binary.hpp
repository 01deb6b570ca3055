// The outcome of a check as bytes: what a child hands to its parent, and what is kept of a class while it is graded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lab/exercise/exercise.hpp"

namespace warpbook::lab {

std::string to_binary(const CheckReport& checked);
/// Nothing where the bytes are damaged.
std::optional<CheckReport> check_report_from_binary(std::string_view bytes);

}  // namespace warpbook::lab
