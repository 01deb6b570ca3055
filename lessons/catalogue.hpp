// The chapters in their order. Written by hand, since order is a decision.
#pragma once

#include <span>
#include <string_view>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons {

std::span<const lab::Lesson> catalogue();
/// Null where no chapter has that slug.
const lab::Lesson* find(std::string_view slug);

}  // namespace warpbook::lessons
