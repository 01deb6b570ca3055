// One program on the simulator, in every way that it can run, and on the reference: the same bits and
// the same counters.
#pragma once

#include <cstdint>
#include <string>

#include "tests/device/simulator/reference/generator.hpp"

namespace warpbook::device::tests::reference {

/// The first difference, or empty. "invalid: .." where the program is none that the two must agree
/// on: it does not parse, leaves its memory, does not end.
std::string difference(const Program& program, std::uint64_t seed);

/// The program with as few lines as still give a difference.
Program minimised(Program program, std::uint64_t seed);

}  // namespace warpbook::device::tests::reference
