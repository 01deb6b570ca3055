// The forms of the instruction table as the decoder asks for them: which modifiers go with an opcode, and with each
// other. isa/instruction_table.hpp says how a form is written.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "device/simulator/isa/instruction_table.hpp"
#include "device/simulator/ptx/words.hpp"

namespace warpbook::device::isa {

/// The version and target that a module declares: .version 6.3 is 603, .target sm_90 is 90.
struct Dialect {
  std::uint32_t version = 900, target = 90;
  bool operator==(const Dialect&) const = default;
};

/// The dialects that have a form, from the text before its colon.
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
  elsewhere  ///< only in other dialects
};

struct FormMatch {
  HasForm has = HasForm::no;
  const InstructionRow* row = nullptr;  ///< where it has the form
};
/// Looks for a form with these modifiers. ptxas takes modifiers in any order, except that the order of modifiers of one kind
/// has a meaning: types, state spaces, .row and .col, and the two priorities of createpolicy.
FormMatch find_form(ptx::Word opcode, std::span<const ptx::Word> modifiers, Dialect dialect);

}  // namespace warpbook::device::isa
