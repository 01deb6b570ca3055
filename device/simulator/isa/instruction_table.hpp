// One table of every instruction of the PTX ISA 9.0: what the simulator has of it, and in which forms. The decoder takes
// what has one of them and no more (isa/forms.hpp), docs/ptx-support.md is made from it, and the tests decode, execute and
// check samples of every form, and hold them and what is beside them against ptxas (tests/device/simulator/isa/table_test.cpp
// and truth_test.cpp).
//
// To add a row, or to say that a pending one executes, edit the file of its section in isa/table/:
//
//   WARPBOOK_INSTRUCTION("add", "Integer arithmetic", executes, "", R"(
//   add.<u|s><16|32|64> %d$2, %a$2, %b$2;
//   90: add.<u|s>16x2 %d32, %a32, %b32;
//   )")
//
// - The name is the ISA's own, as its section is titled; an opcode may have several rows. It is also kept in
//   tests/device/simulator/isa/isa_9_0.txt.
// - A form is a line of PTX with alternatives, <a|b>; $2 is what the second of them chose. Among modifiers they may also
//   stand in (a|b). All that it can become is legal, and the decoder's: ptxas is the judge. Samples are all choices in <>,
//   with those in () in turn, so that each is in one of them; a form with many modifiers keeps few samples so.
// - Before the colon stand the targets: 90: from sm_90 on (any, where there is none), 30-62: from sm_30 to sm_62; or the
//   versions of PTX: 7.1-: from 7.1 on, -6.3: to 6.3; or both, 90/8.0-:. An alternative may need a target or a version of
//   its own: <|.L2::128B|80:.L2::256B>. What PTX 6.3 has, or the first PTX that had a form's target, says no version.
//   The decoder takes what depends on modifiers from here; what depends on operands it asks for itself (needs()).
// - A line in { } is a block of several instructions with labels of its own. Those of other opcodes than the row's are
//   not its forms.
// - Operands are registers that the tests declare: a letter and a width, such as %a32 (d, f to l are written, a b c e
//   read, all may be either); predicates %ap %bp (read), %dp %ep (written), %never (false); the addresses %global
//   %shared (2,048 bytes) %local %const %generic (256 bytes) and %shared32, %= for the one of the space that the opcode
//   names; %d= and %a= for a register of its type, or as many as its .v2, .v4 or .v8 says, in { }; %row64 of ldmatrix; %barrier and %gbarrier of an mbarrier for each thread, the second one generic; %policy;
//   the constants %zero32 %one32 %one16 %sixteen32 %small64 (32) %all32 (all ones) %threads32 (64, the block's size);
//   %texture and %surface, objects that nobody made: such samples are decoded and stand behind a guard that never
//   holds. What else there is, the_samples_begin_with in tests/device/simulator/isa/samples.cpp shows.
// - What the samples compute must be held against something: registers alone by truth_test.cpp, which wants a model in
//   tests/device/simulator/isa/truth*.cpp; all else by tests that tested_elsewhere.inc names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/simulator/ptx/words.hpp"

namespace warpbook::device::isa {

enum class Support : std::uint8_t {
  executes,
  pending,   ///< no sooner than somebody writes it: an error that names the instruction
  left_out,  ///< never: the reason says why
  newer      ///< no GPU up to compute capability 9.0 has it
};

struct InstructionRow {
  std::string_view name;  ///< the ISA's: "add", "ld.global.nc"
  std::string_view group;
  Support support;
  std::string_view reason;  ///< of left_out and newer
  std::string_view forms;   ///< one a line
};

/// In the ISA's order.
std::span<const InstructionRow> instruction_table();

/// The row whose name an instruction bears, the longest where there are several; null for what is no PTX.
const InstructionRow* row_of(ptx::Word opcode, std::span<const ptx::Word> modifiers);

}  // namespace warpbook::device::isa
