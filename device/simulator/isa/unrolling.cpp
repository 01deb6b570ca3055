// ptxas unrolls loops. How far it unrolled one follows from the instructions that become exactly one machine instruction
// each: most of a loop's instructions then have as many machine instructions as the loop has copies. Memory accesses have
// no vote, because their number is what the copies are used to predict.
#include "device/simulator/isa/unrolling.hpp"

#include <algorithm>
#include <map>

namespace warpbook::device {
namespace {

/// Whether ptxas makes one machine instruction of it, unless it removes it altogether.
bool is_one_to_one(const ptx::Module& module, const ptx::Instruction& i) {
  switch (i.opcode) {
    case ptx::Word::add:
    case ptx::Word::sub:
    case ptx::Word::mul:
    case ptx::Word::fma:
    case ptx::Word::min:
    case ptx::Word::max:
    case ptx::Word::and_:
    case ptx::Word::or_:
    case ptx::Word::xor_:
    case ptx::Word::shl:
    case ptx::Word::setp:
    case ptx::Word::selp:
    case ptx::Word::bar:
    case ptx::Word::shfl: break;
    default: return false;
  }
  for (const ptx::Word w : module.modifiers_of(i)) {
    if (w == ptx::Word::wide || ptx::bytes_of(ptx::type_of(w)) == 8) return false;
  }
  return true;
}

/// The basic blocks of a loop, from its head to its backward branch: their ranks are consecutive.
struct Loop {
  std::uint32_t function = 0, first = 0, last = 0;  ///< ranks
  std::map<std::uint32_t, std::uint32_t>
      votes;  ///< number of copies -> instructions that vote for it
};

std::vector<Loop> loops_of(const isa::Code& code) {
  std::vector<Loop> loops;
  for (const BasicBlock& b : code.blocks) {
    for (const std::uint32_t to : {b.next, b.target}) {
      if (to != kNone && code.blocks[to].rank <= b.rank)
        loops.push_back({b.function, code.blocks[to].rank, b.rank, {}});
    }
  }
  // The innermost first.
  std::ranges::stable_sort(loops, {}, [](const Loop& l) { return l.last - l.first; });
  return loops;
}

}  // namespace

std::vector<std::uint32_t> copies_of(const isa::Code& code, const ptx::Module& module,
                                     const MachineCode& machine) {
  std::vector<Loop> loops = loops_of(code);
  const auto loop_of = [&](const BasicBlock& b) {
    return std::ranges::find_if(loops, [&](const Loop& l) {
      return l.function == b.function && l.first <= b.rank && b.rank <= l.last;
    });
  };
  for (const BasicBlock& b : code.blocks) {
    const auto loop = loop_of(b);
    if (loop == loops.end()) continue;
    for (std::uint32_t k = b.first_instruction; k < b.first_instruction + b.instructions; ++k) {
      const ptx::Instruction& source = *code.instructions[k].source;
      const MachineLine* line = machine.at(source.ptx_line);
      if (line && line->others != 0 && is_one_to_one(module, source)) ++loop->votes[line->others];
    }
  }
  std::vector<std::uint32_t> copies(code.blocks.size(), 1);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    const auto loop = loop_of(code.blocks[k]);
    if (loop == loops.end() || loop->votes.empty()) continue;
    copies[k] =
        std::ranges::max_element(loop->votes, {}, [](const auto& v) { return v.second; })->first;
  }
  return copies;
}

}  // namespace warpbook::device
