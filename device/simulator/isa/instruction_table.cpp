#include "device/simulator/isa/instruction_table.hpp"

#include <algorithm>

namespace warpbook::device::isa {
namespace {

using enum Support;
using enum Family;

constexpr InstructionRow kInstructionTable[] = {
#define WARPBOOK_INSTRUCTION(name, group, support, family, reason, forms) \
  {name, group, support, family, reason, forms},
// clang-format off
#include "device/simulator/isa/table/integer.inc"
#include "device/simulator/isa/table/floating.inc"
#include "device/simulator/isa/table/logic.inc"
#include "device/simulator/isa/table/move.inc"
#include "device/simulator/isa/table/convert.inc"
#include "device/simulator/isa/table/async.inc"
#include "device/simulator/isa/table/texture.inc"
#include "device/simulator/isa/table/control.inc"
#include "device/simulator/isa/table/sync.inc"
#include "device/simulator/isa/table/matrix.inc"
#include "device/simulator/isa/table/video.inc"
// clang-format on
#undef WARPBOOK_INSTRUCTION
};

/// The number of parts of a row's name if the instruction has all of them, else 0.
std::size_t matching_parts(std::string_view name, ptx::Word opcode,
                           std::span<const ptx::Word> modifiers) {
  std::size_t parts = 0;
  auto next = modifiers.begin();
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('.'));
    name.remove_prefix(std::min(name.size(), part.size() + 1));
    if (parts == 0) {
      if (part != ptx::text_of(opcode)) return 0;
    } else {
      next = std::find_if(next, modifiers.end(), [&](ptx::Word m) {
        const std::string_view text = ptx::text_of(m);
        return text == part || (text.starts_with(part) && text.substr(part.size(), 2) == "::");
      });
      if (next == modifiers.end()) return 0;
      ++next;
    }
    ++parts;
  }
  return parts;
}

}  // namespace

std::span<const InstructionRow> instruction_table() { return kInstructionTable; }

const InstructionRow* row_of(ptx::Word opcode, std::span<const ptx::Word> modifiers) {
  const InstructionRow* best = nullptr;
  std::size_t most = 0;
  for (const InstructionRow& row : kInstructionTable) {
    const std::size_t parts = matching_parts(row.name, opcode, modifiers);
    if (parts > most) {
      most = parts;
      best = &row;
    }
  }
  return best;
}

}  // namespace warpbook::device::isa
