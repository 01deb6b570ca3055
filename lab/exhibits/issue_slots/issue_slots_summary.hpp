// Issue slots: what their renderers share.
#pragma once

#include <cstddef>
#include <string>

#include "lab/exhibits/issue_slots/issue_slots.hpp"

namespace warpbook::lab {

/// "27.3": the slots that are filled, in per cent.
std::string filled_text(const IssueSlotsExhibit::Case& one);
/// All of a case in a sentence.
std::string case_text(const IssueSlotsExhibit& slots, std::size_t which, const Strings& strings);
/// What the model assumes.
std::string model_text(const IssueSlotsExhibit& slots, const Strings& strings);

}  // namespace warpbook::lab
