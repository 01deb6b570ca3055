// The chapters in their order. Written by hand, since order is a decision.
#pragma once

#include <span>
#include <string_view>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons {

std::span<const lab::Lesson> catalogue();
/// The page for any kernel of the reader's own. It is no chapter, so that it is neither counted nor listed with them.
const lab::Lesson& scratch();
/// A chapter or the scratch page; null where there is none of that slug.
const lab::Lesson* find(std::string_view slug);

}  // namespace warpbook::lessons
