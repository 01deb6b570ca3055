// One table of every instruction of the PTX ISA 9.0: whether the simulator executes it, in which forms, and which family of
// handlers does the work. The decoder refuses an instruction that has no form here (isa/forms.hpp). docs/ptx-support.md is
// made from the table. The tests decode, execute and check samples of every form, and ask ptxas about them and about what
// is beside them (tests/device/simulator/isa/table_test.cpp and tests/device/simulator/execute/truth_test.cpp).
//
// To add a scalar instruction, touch these places:
//   1. ptx/words.inc               its opcode and modifiers, if they are new
//   2. isa/table/<section>.inc     its row: name, group, `executes`, family, forms
//   3. execute/handlers/<x>.inc    a functor for one element, and a case in the family's bind_<x>(), which takes the
//                                  modifiers from the key and returns the handlers
//   4. tests                       a model in tests/device/simulator/execute/truth*.cpp, the operation in
//                                  tests/device/simulator/reference/operations.cpp and scalar_*.cpp, and the name in
//                                  tests/device/simulator/isa/isa_9_0.txt
// The decoder itself changes only where operands are special, and then in decode_plain.cpp.
//
//   WARPBOOK_INSTRUCTION("add", "Integer arithmetic", executes, integer, "", R"(
//   add.<u|s><16|32|64> %d$2, %a$2, %b$2;
//   90: add.<u|s>16x2 %d32, %a32, %b32;
//   )")
//
// - The name is the ISA's own, as its section is titled. An opcode may have several rows.
// - The family is the binder of HandlerBuild that chooses the handlers. It is `other` for an instruction that the decoder
//   handles in a function of its own: control flow, memory, textures, matrices, video, asynchronous operations.
// - A form is a line of PTX with alternatives, <a|b>; $2 is what the second of them chose. Among modifiers alternatives may
//   also be written (a|b). Everything that a form can become must be legal, with ptxas as the judge, and the decoder must
//   take it. Samples are all choices in <>, with those in () in turn, so that each choice is in some sample; this keeps the
//   number of samples small for a form with many modifiers.
// - Before the colon of a form are the targets, 90: (from sm_90 on) or 30-62: (from sm_30 to sm_62); or the versions of PTX,
//   7.1-: (from 7.1 on) or -6.3: (up to 6.3); or both, 90/8.0-:. Without a colon any target and version has the form. An
//   alternative may need a target or a version of its own: <|.L2::128B|80:.L2::256B>. No version is given for forms of PTX
//   6.3 or of the first PTX that had the form's target. The decoder reads from here what depends on modifiers; it asks for
//   what depends on operands itself (needs()).
// - A line in { } is a block of several instructions with labels of its own. Instructions in it with another opcode than the
//   row's are not the row's forms.
// - Operands are registers that the tests declare: a letter and a width, such as %a32 (d, f to l are written, a b c e
//   read, all may be either); predicates %ap %bp (read), %dp %ep (written), %never (false); the addresses %global
//   %shared (2,048 bytes) %local %const %generic (256 bytes) and %shared32, %= for the one of the space that the opcode
//   names; %d= and %a= for a register of its type, or as many as its .v2, .v4 or .v8 says, in { }; %row64 of ldmatrix;
//   %barrier and %gbarrier of an mbarrier for each thread, the second one generic; %policy; the constants %zero32 %one32
//   %one16 %sixteen32 %small64 (32) %all32 (all ones) %threads32 (64, the block's size); %texture and %surface, objects
//   that do not exist: such samples are decoded behind a guard that never holds. the_samples_begin_with in
//   tests/device/simulator/isa/samples.cpp shows all others.
// - The results of samples must be checked against a model: those of registers by truth_test.cpp, all others by tests that
//   tests/device/simulator/isa/tested_elsewhere.inc names.
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
  pending,   ///< not yet: an error names the instruction
  left_out,  ///< never: the reason says why
  newer      ///< no GPU up to compute capability 9.0 has it
};

/// The binder of HandlerBuild (isa/key.hpp) that chooses an instruction's handlers.
enum class Family : std::uint8_t {
  other,  ///< none: the decoder has a function of its own for it
  integer,
  bits,
  floating,  ///< HandlerBuild::half for the types of 16 bits, else HandlerBuild::floating
  convert,
  compare,
  move
};

struct InstructionRow {
  std::string_view name;  ///< the ISA's: "add", "ld.global.nc"
  std::string_view group;
  Support support;
  Family family;
  std::string_view reason;  ///< of left_out and newer
  std::string_view forms;   ///< one per line
};

/// In the ISA's order.
std::span<const InstructionRow> instruction_table();

/// The row whose name matches an instruction, the longest name where there are several; null where none does.
const InstructionRow* row_of(ptx::Word opcode, std::span<const ptx::Word> modifiers);

}  // namespace warpbook::device::isa
