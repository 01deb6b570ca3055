// What renderers say and show of machine code alike: its rows, what its instructions wait for, and in words where names and
// figures come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/sass/sass.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

/// A row of a listing: an instruction, or where `instruction` is null the name of the function that begins there.
struct SassRow {
  const device::SassFunction* function = nullptr;
  const device::SassInstruction* instruction = nullptr;
};
/// All functions below each other; the name of one that is alone is left out.
std::vector<SassRow> rows_of(const device::Sass& sass);

/// Instructions of all functions.
std::uint64_t instructions_of(const device::Sass& sass);

/// "0x0090".
std::string address_text(const device::SassInstruction& instruction);
/// How often it ran, to the nearest whole number; empty where that is not known.
std::string executed_text(const SassRow& row);
/// The barriers that it waits for: "0 2"; empty: none.
std::string waits_text(const device::SassInstruction& instruction);
/// The barriers that it sets: "1" by its result, "2r" once its operands are read: "1 2r"; empty: none.
std::string sets_text(const device::SassInstruction& instruction);

/// The most that any instruction ran. A scale of its own: no source line and no PTX instruction is held against it.
double most_executed(const device::Sass& sass);

/// How many instructions there are for which architecture, and of what kinds the most; who named them, or why only our own
/// table did; what kind of figure their executions are. Sentences.
std::string summary_of(const device::Sass& sass, const Strings& strings);
/// The last of those sentences alone.
std::string executions_note(const device::Sass& sass, const Strings& strings);

/// What an opcode ("FFMA") does, in a sentence; empty for those that are not explained.
std::string meaning_of_opcode(std::string_view opcode, const Strings& strings);

}  // namespace warpbook::lab
