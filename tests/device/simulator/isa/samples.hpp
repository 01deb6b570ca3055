// The samples of the instruction table: every instruction that a form can become, and the kernel around them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/simulator/isa/instruction_table.hpp"

namespace warpbook::device::tests {

/// All that a form becomes (instruction_table.hpp tells how forms are written).
std::vector<std::string> expand(std::string_view form);

/// The lines of a row's forms, each with its target taken off.
std::vector<std::string> forms_of(const isa::InstructionRow& row);

std::vector<std::string> samples_of(const isa::InstructionRow& row);

/// A module whose kernel runs the samples one after the other, each in a scope of its own; blocks of 64 threads.
std::string kernel_of(const std::vector<std::string>& samples);

/// What stands before: functions and variables of the module, registers of the kernel with what they hold.
std::string the_samples_begin_with();

}  // namespace warpbook::device::tests
