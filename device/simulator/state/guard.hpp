// Counting the lanes whose guard holds.
#pragma once

#include <cstdint>

namespace warpbook::device {

struct Context;

/// An instruction behind a guard ran for `mask`.
void count_guarded(std::uint32_t instruction, std::uint32_t mask, Context& context);

}  // namespace warpbook::device
