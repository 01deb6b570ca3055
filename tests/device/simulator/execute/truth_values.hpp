// Values to try an instruction on.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/device/simulator/execute/truth.hpp"

namespace warpbook::device::tests {

using Word64 = std::uint64_t;

/// What an operand may hold: edge values of its kind (f32 f64 f16 bf16 f16x2 bf16x2, or the width of an integer), random
/// ones.
std::vector<Word64> pool_of(const std::string& kind, std::mt19937_64& random);

/// The kind for a register, from the types among the modifiers: the last of its width.
std::string kind_of(const std::vector<std::string>& modifiers, const std::string& name);

}  // namespace warpbook::device::tests
