// The instructions of a PTX text that a GPU and the simulator may compute differently: approximate functions, matrix units,
// texture filters, and atomic sums of floats, whose order is open. All other PTX gives the same bits (PTX ISA, "Floating Point Instructions").
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::tests {

/// Such instructions, "ex2.approx.ftz.f32", each once, in alphabetical order.
std::vector<std::string> inexact_instructions(std::string_view ptx);

}  // namespace warpbook::tests
