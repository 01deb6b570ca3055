// Instructions beside those of the instruction table: a modifier more, one less, or another one in its place. Most of
// them are not PTX, and some are.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace warpbook::device::tests {

/// `count` of them for each opcode that executes, at most; none twice, and none with a modifier twice (ptxas ignores the
/// second of some).
std::vector<std::string> neighbours(std::size_t count, std::mt19937_64& random);

/// `count` of them for each opcode that computes on registers, at most: samples in which one register has another width, or has a
/// constant added to it.
std::vector<std::string> other_registers(std::size_t count, std::mt19937_64& random);

}  // namespace warpbook::device::tests
