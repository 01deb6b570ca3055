// The forms of the instruction table as the decoder asks for them: which modifiers go with an opcode, and with each
// other. How a form is written, isa/instruction_table.hpp tells.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "device/simulator/isa/instruction_table.hpp"
#include "device/simulator/ptx/words.hpp"

namespace warpbook::device::isa {

/// What a module says that it is written for: .version 6.3 is 603, .target sm_90 is 90.
struct Dialect {
  std::uint32_t version = 900, target = 90;
  bool operator==(const Dialect&) const = default;
};

/// The dialects that have a form, from what stands before its colon.
struct DialectRange {
  std::uint32_t first_target = 0, last_target = ~0u, first_version = 0, last_version = ~0u;
  [[nodiscard]] bool has(Dialect d) const {
    return d.target >= first_target && d.target <= last_target && d.version >= first_version &&
           d.version <= last_version;
  }
};

/// One line of a row's forms.
struct FormLine {
  DialectRange dialects;
  std::string_view text;  ///< behind the colon
};
std::vector<FormLine> lines_of(const InstructionRow& row);

enum class HasForm : std::uint8_t {
  yes,
  no,
  elsewhere  ///< in other dialects alone
};

/// Whether a row has an instruction with these modifiers. ptxas takes them in any order but for those of one kind whose
/// order tells them apart: types, state spaces, .row and .col, and the two priorities of createpolicy.
HasForm has_form(ptx::Word opcode, std::span<const ptx::Word> modifiers, Dialect dialect);

}  // namespace warpbook::device::isa
