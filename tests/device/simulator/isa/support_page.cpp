#include "tests/device/simulator/isa/support_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tests/device/simulator/isa/samples.hpp"

namespace warpbook::device::tests {
namespace {

using isa::InstructionRow;
using isa::Support;

std::string section_of(const InstructionRow& row) {
  switch (row.support) {
    case Support::executes: {
      std::string text;
      for (const char c : row.forms) text += c;
      while (text.starts_with('\n')) text.erase(0, 1);
      return fmt::format("### {}\n```\n{}```\n\n", row.name, text);
    }
    case Support::pending: return fmt::format("### {}\nNot yet: an error names it.\n\n", row.name);
    case Support::left_out: return fmt::format("### {}\nLeft out: {}.\n\n", row.name, row.reason);
    case Support::newer: break;
  }
  return fmt::format("### {}\nBeyond compute capability 9.0: {}.\n\n", row.name, row.reason);
}

}  // namespace

std::string support_page() {
  std::size_t executes = 0, pending = 0, left_out = 0, newer = 0, samples = 0;
  for (const InstructionRow& row : isa::instruction_table()) {
    executes += row.support == Support::executes;
    pending += row.support == Support::pending;
    left_out += row.support == Support::left_out;
    newer += row.support == Support::newer;
    for (const Samples& of : samples_by_dialect(row)) samples += of.texts.size();
  }
  std::string page = fmt::format(
      "# PTX that the simulator executes\n"
      "Every instruction of the PTX ISA 9.0, in the forms that its targets up to sm_90 have. This "
      "page is made from the\n"
      "table in `device/simulator/isa/table/`; a test holds it against that (`WARPBOOK_FIX=1` "
      "writes it anew), and others\n"
      "decode and run {} instructions that the forms can become, and ask ptxas about them.\n\n"
      "| | instructions |\n|---|---|\n| execute | {} |\n| not yet | {} |\n| left out for good | {} "
      "|\n"
      "| beyond compute capability 9.0 | {} |\n\n"
      "How to read a form: `<a|b>` is one of these, and so is `(a|b)`, of which the tests take one "
      "after the other; `$2` is\n"
      "what the second `<a|b>` chose. `90:` before a form or an alternative is the target that it "
      "needs, `30-62:` the targets that\n"
      "have it, `-6.3:` the last version of PTX that does, `7.1-:` the first one after those that "
      "the targets need. `%a32` stands for any register or "
      "constant of that width, `%ap` for a\n"
      "predicate, `%d32` for what is written, `%a=` and `%d=` for as many of them as the opcode "
      "asks for; `[%global]` and its\n"
      "like for any address of that space, `%=` for one of the space that the opcode names. "
      "Modifiers "
      "may stand in any order,\n"
      "but types among each other, and state spaces, and `.row` and `.col`, not. An opcode with "
      "modifiers that no form has, and\n"
      "what is left out, is refused when a kernel is loaded, with the line of its source.\n"
      "Directives are held to versions and targets as well, where they are read: "
      "`.maxclusterrank` needs 7.8 and sm_90, `.tex` went after 1.4.\n"
      "`.extern` functions that need no definition: `vprintf`, `__assertfail`, `malloc`, `free`, "
      "and what kernels launch kernels with, that is\n"
      "CUDA's device runtime (`cudaLaunchDeviceV2` and the functions around it) without graphs, "
      "copies in three dimensions and the calls of before CUDA 12.\n\n"
      "Wherever a register is read, a constant may be added to it (`%a32+4`): as an integer of the "
      "register's width.\n"
      "Divisions and roots that ptxas replaces by text of its own take no such sum: `div` and "
      "`rem` "
      "of 64-bit integers, and with `.rz`, `.rm`\n"
      "or `.rp` also `div.f32` and `div`, `rcp` and `sqrt` of `.f64`. An integer that `cvt` takes "
      "from bf16 or makes bf16 of needs a register\n"
      "of its own width.\n"
      "Approximate functions (`ex2.approx`, `tanh.approx` and their like) keep the error that the "
      "ISA documents. They are\n"
      "mostly nearer to the truth than the hardware's, and not its bits. In checks of exercises "
      "and of the book's kernels, those in single\n"
      "and half precision deviate on purpose, about as far as the ISA allows, up or down by their "
      "operands' bits: what passes there passes on every GPU.\n\n"
      "ptxas takes some things that no section of the ISA has; they are refused here: `addc`, "
      "`subc` and `madc` with `.sat` or of\n"
      "16 bits, `fma.rz.bf16` and its like (it computes them as f16), `.ftz` of `rcp.f64`, "
      "`testp.f32`, `mapa` and `getctarank`\n"
      "of `.s32` (it takes 16 bits of the address), `.lo` and its like of `vset`, `.sync_restrict` "
      "where nothing is restricted,\n"
      "modifiers written twice (`add.sat.sat.f32`), a type more than an `mma` has, words of other "
      "instructions that it overlooks\n"
      "(`exit.rank`), a third operand of scalar video instructions or of `atom.or` that nothing "
      "uses, `mov.v2` and `mov.v4` of one\n"
      "value, operands that are no vector where `.v2` asks for one or one where none does (`sust`, "
      "`suld`, `st.async`), registers of\n"
      "other widths where a constant is added, and `wmma` on f64 but m8n8k4.\n\n",
      samples, executes, pending, left_out, newer);

  // A group's rows come together, in whichever files of the table they stand.
  std::vector<std::string_view> groups;
  for (const InstructionRow& row : isa::instruction_table()) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end())
      groups.push_back(row.group);
  }
  for (const std::string_view g : groups) {
    page += fmt::format("## {}\n", g);
    for (const InstructionRow& row : isa::instruction_table()) {
      if (row.group == g) page += section_of(row);
    }
  }
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace warpbook::device::tests
