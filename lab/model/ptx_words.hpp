// One PTX instruction as text taken apart: what it does, and the registers of each operand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::lab {

/// "@%p1 st.shared.v2.f32 [%r1+8], {%f1, %f2};" is "st.shared.v2.f32" with {%r1} and {%f1, %f2}. The guard is left out; an operand
/// without a register (a number, a name) is empty.
struct PtxWords {
  std::string opcode;
  std::vector<std::vector<std::string>> operands;

  /// Whether the opcode has that modifier: "cg" of "ld.global.cg.f32".
  [[nodiscard]] bool has(std::string_view modifier) const;
};
PtxWords ptx_words(std::string_view instruction);

/// Whether the instruction writes the registers of its first operand, as stores and barriers do not.
bool writes_register(const PtxWords& words);

}  // namespace warpbook::lab
