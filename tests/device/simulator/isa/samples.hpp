// The samples of the instruction table: instructions that a form can become, and the kernel around them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/simulator/isa/forms.hpp"

namespace warpbook::device::tests {

/// A form's samples (instruction_table.hpp tells how forms are written).
std::vector<std::string> expand(std::string_view form);

/// Samples of one dialect.
struct Samples {
  isa::Dialect dialect;
  std::vector<std::string> texts;
};

/// Those of .version 9.0 and sm_90.
std::vector<std::string> samples_of(const isa::InstructionRow& row);
/// Those, and apart from them the ones of other dialects.
std::vector<Samples> samples_by_dialect(const isa::InstructionRow& row);

/// ".version", ".target" and ".address_size".
std::string header_of(isa::Dialect dialect);

/// A module whose kernel runs the samples one after the other, each in a scope of its own; blocks of 64 threads.
std::string kernel_of(const std::vector<std::string>& samples, isa::Dialect dialect = {});

/// What stands before: functions and variables of the module, registers of the kernel with what they hold.
std::string the_samples_begin_with(isa::Dialect dialect = {});

}  // namespace warpbook::device::tests
