// Liveness: which registers are alive at the same time, and therefore need different slots.
#include <algorithm>
#include <queue>

#include "device/simulator/isa/flow.hpp"

namespace warpbook::device::isa {
namespace {

using ptx::Instruction;
using ptx::kNone;
using ptx::Operand;
using ptx::Word;

enum class Access : std::uint8_t {
  read,
  write,  ///< the whole register, in every lane that runs the instruction
  change  ///< some of it, or perhaps nothing: the old value may live on
};

/// The number of leading operands that are written, without those joined to them by |. kNone:
/// unknown, so that every register counts as read and changed.
std::uint32_t destinations_of(const ptx::Module& module, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Word::unknown:
    case Word::tcgen05:
    case Word::wgmma: return kNone;
    case Word::bra:
    case Word::brx:
    case Word::call:
    case Word::nanosleep:
    case Word::stackrestore:
    case Word::setmaxnreg: return 0;
    case Word::bar:
    case Word::barrier: {
      const auto modifiers = module.modifiers_of(instruction);
      return std::find(modifiers.begin(), modifiers.end(), Word::red) != modifiers.end() ? 1 : 0;
    }
    default: return 1;  // an address as the first operand is still read
  }
}

/// Calls `visit(register, Access)` for every register that the instruction names.
template <class Visit>
void visit_operand(const ptx::Module& module, const Operand& operand, Access access,
                   Visit&& visit) {
  const auto nested = std::span(module.operands).subspan(operand.first, operand.count);
  switch (operand.kind) {
    case Operand::Kind::reg:
      // Writing a part of a register leaves the rest unchanged.
      visit(operand.index,
            access == Access::write && (operand.component != 0xff || operand.word != Word::unknown)
                ? Access::change
                : access);
      return;
    case Operand::Kind::symbol:
    case Operand::Kind::address:
      if (operand.base == Operand::Kind::reg) {
        visit(operand.index, Access::read);
      }
      for (const Operand& part : nested) {
        visit_operand(module, part, Access::read, visit);
      }
      return;
    case Operand::Kind::vector:
    case Operand::Kind::list:
      for (const Operand& part : nested) {
        visit_operand(module, part, access, visit);
      }
      return;
    default: return;
  }
}

template <class Visit>
void visit_registers(const ptx::Module& module, const Instruction& instruction, Visit&& visit) {
  if (instruction.guarded) {
    visit(instruction.guard, Access::read);
  }
  const auto operands = module.operands_of(instruction);
  const std::uint32_t destinations = destinations_of(module, instruction);
  const Access written = instruction.guarded ? Access::change : Access::write;
  const auto is_written = [&](std::size_t i) {
    return instruction.opcode == Word::call
               ? i == 0
               : i < destinations || (operands[i].paired && destinations != 0);
  };
  // Reads are visited first, because an instruction reads before it writes.
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (destinations == kNone || !is_written(i)) {
      visit_operand(module, operands[i], Access::read, visit);
    }
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (destinations == kNone || is_written(i)) {
      visit_operand(module, operands[i], destinations == kNone ? Access::change : written, visit);
    }
  }
}

/// Lists of blocks by register, packed: the blocks of r are [first[r], first[r + 1]).
struct BlocksByRegister {
  std::vector<std::uint32_t> first, blocks;

  BlocksByRegister(std::size_t registers,
                   const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs)
      : first(registers + 1, 0), blocks(pairs.size()) {
    for (const auto& [reg, block] : pairs) {
      ++first[reg + 1];
    }
    for (std::size_t r = 0; r < registers; ++r) {
      first[r + 1] += first[r];
    }
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (const auto& [reg, block] : pairs) {
      blocks[next[reg]++] = block;
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t reg) const {
    return std::span(blocks).subspan(first[reg], first[reg + 1] - first[reg]);
  }
};

/// The ranks between which a register may hold a value that is still needed.
struct Hull {
  std::uint32_t from = kNone, to = 0;
  bool unwritten = false;  ///< a path from the function's start reads it before it writes it
  bool read = false;
  void cover(std::uint32_t rank) {
    from = std::min(from, rank);
    to = std::max(to, rank);
  }
};

class Liveness {
 public:
  Liveness(const ptx::Module& module, const ptx::Function& function, const Flow& flow)
      : module_(module), function_(function), flow_(flow), hulls_(function.registers.size()) {}

  std::vector<Hull> run() {
    scan_blocks();
    spread();
    const auto last = static_cast<std::uint32_t>(flow_.rank.size() - 1);
    for (const std::vector<ptx::Variable>* list : {&function_.parameters, &function_.returns}) {
      for (const ptx::Variable& variable : *list) {
        if (variable.reg != kNone) {  // written before the function begins, or read after it ends
          hulls_[variable.reg].cover(0);
          hulls_[variable.reg].cover(last);
          hulls_[variable.reg].read = true;
        }
      }
    }
    return std::move(hulls_);
  }

 private:
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  /// Collects every mention, and for each register the blocks that overwrite it and the blocks that read it before they
  /// overwrite it.
  void scan_blocks() {
    std::vector<std::uint32_t> overwritten(hulls_.size(), kNone);
    std::vector<std::uint32_t> exposed(hulls_.size(), kNone);
    for (std::uint32_t b = 0; b < flow_.blocks.size(); ++b) {
      for (std::uint32_t i = flow_.blocks[b].first; i < flow_.blocks[b].end; ++i) {
        visit_registers(module_, function_.instructions[i], [&](std::uint32_t reg, Access access) {
          hulls_[reg].cover(flow_.rank[i]);
          hulls_[reg].read |= access == Access::read;
          if (access == Access::write) {
            if (overwritten[reg] != b) {
              overwritten[reg] = b;
              overwrites_.emplace_back(reg, b);
            }
          } else if (access == Access::read && overwritten[reg] != b && exposed[reg] != b) {
            exposed[reg] = b;
            reads_.emplace_back(reg, b);
          }
        });
      }
    }
  }

  /// Follows every read back to the writes that may have produced its value.
  void spread() {
    const std::size_t count = flow_.blocks.size();
    Pairs edges;
    for (std::uint32_t b = 0; b < count; ++b) {
      for (const std::uint32_t to : flow_.successors_of(b)) {
        edges.emplace_back(to, b);
      }
    }
    const BlocksByRegister predecessors(count, edges);
    const BlocksByRegister overwrites(hulls_.size(), overwrites_);
    const BlocksByRegister reads(hulls_.size(), reads_);
    std::vector<std::uint32_t> stops(count, kNone);
    std::vector<std::uint32_t> alive(count, kNone);  // at its start
    std::vector<std::uint32_t> work;
    // Registers that live through very many blocks would make this quadratic. Beyond a generous bound the remaining ones
    // count as alive everywhere, which only costs slots.
    std::uint64_t budget = 1'000'000 + 64 * std::uint64_t{flow_.rank.size()};
    for (std::uint32_t reg = 0; reg < hulls_.size(); ++reg) {
      for (const std::uint32_t b : overwrites.of(reg)) {
        stops[b] = reg;
      }
      const auto begin_alive = [&](std::uint32_t b) {
        if (alive[b] != reg) {
          alive[b] = reg;
          hulls_[reg].unwritten |= b == 0;
          hulls_[reg].cover(flow_.rank[flow_.blocks[b].first]);
          work.push_back(b);
        }
      };
      for (const std::uint32_t b : reads.of(reg)) {
        begin_alive(b);
      }
      while (!work.empty()) {
        const std::uint32_t b = work.back();
        work.pop_back();
        const auto sources = predecessors.of(b);
        if (sources.size() > budget) {
          hulls_[reg].unwritten = true;
          hulls_[reg].cover(0);
          hulls_[reg].cover(static_cast<std::uint32_t>(flow_.rank.size() - 1));
          work.clear();
          break;
        }
        budget -= sources.size();
        for (const std::uint32_t from : sources) {
          hulls_[reg].cover(flow_.rank[flow_.blocks[from].end - 1]);
          if (stops[from] != reg) {
            begin_alive(from);
          }
        }
      }
    }
  }

  const ptx::Module& module_;
  const ptx::Function& function_;
  const Flow& flow_;
  std::vector<Hull> hulls_;
  Pairs overwrites_, reads_;
};

}  // namespace

SlotClass slot_class_of(const ptx::Register& reg) {
  if (reg.type == ptx::Type::pred) {
    return SlotClass::predicate;
  }
  const std::uint32_t bytes = ptx::bytes_of(reg.type) * reg.lanes;
  if (reg.lanes > 1 || bytes > 8) {
    return SlotClass::quad;
  }
  return bytes == 8   ? SlotClass::wide
         : bytes == 2 ? SlotClass::half
         : bytes == 1 ? SlotClass::byte
                      : SlotClass::narrow;
}

namespace {

/// The instruction takes the lower half of a register of 64 bits, as cvt.u32.u64 %r1, %rd1 and mov.b64 {%r1, _}, %rd1 do.
bool takes_low_half(const ptx::Module& module, const Instruction& instruction) {
  const auto operands = module.operands_of(instruction);
  const auto modifiers = module.modifiers_of(instruction);
  if (instruction.opcode == Word::cvt)
    return modifiers.size() == 2 && ptx::bytes_of(ptx::type_of(modifiers[0])) <= 4;
  if (instruction.opcode != Word::mov || operands[0].kind != Operand::Kind::vector) return false;
  const Operand& parts = operands[0];
  return parts.count == 2 && module.operands[parts.first + 1].kind == Operand::Kind::sink;
}

/// The register that the instruction copies to another one as it is; kNone: it does something else.
std::uint32_t copied_by(const ptx::Module& module, const Instruction& instruction) {
  const auto operands = module.operands_of(instruction);
  const bool copies = instruction.opcode == Word::mov && operands.size() == 2 &&
                      operands[0].kind == Operand::Kind::reg &&
                      operands[1].kind == Operand::Kind::reg;
  return copies ? operands[1].index : kNone;
}

/// Compilers leave one half of a pair undefined where nobody takes it out again.
std::vector<bool> read_high(const ptx::Module& module, const ptx::Function& function) {
  std::vector<bool> high(function.registers.size(), false);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;  // from, to
  for (const Instruction& instruction : function.instructions) {
    if (takes_low_half(module, instruction)) continue;
    const std::uint32_t copied = copied_by(module, instruction);
    if (copied != kNone) copies.emplace_back(copied, module.operands_of(instruction)[0].index);
    visit_registers(module, instruction, [&](std::uint32_t reg, Access access) {
      if (access != Access::write && reg != copied) high[reg] = true;
    });
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [from, to] : copies) {
      changed = changed || (high[to] && !high[from]);
      if (high[to]) high[from] = true;
    }
  }
  return high;
}

}  // namespace

SlotMap assign_slots(const ptx::Module& module, const ptx::Function& function, const Flow& flow) {
  SlotMap map;
  map.read_high = read_high(module, function);
  map.slot.assign(function.registers.size(), kNone);
  map.unwritten.assign(function.registers.size(), false);
  map.read.assign(function.registers.size(), false);
  if (flow.blocks.empty()) {
    return map;
  }
  const std::vector<Hull> hulls = Liveness(module, function, flow).run();
  std::vector<std::uint32_t> by_start;
  for (std::uint32_t reg = 0; reg < hulls.size(); ++reg) {
    if (hulls[reg].from != kNone) {
      by_start.push_back(reg);
    }
  }
  std::sort(by_start.begin(), by_start.end(), [&](std::uint32_t a, std::uint32_t b) {
    return hulls[a].from != hulls[b].from ? hulls[a].from < hulls[b].from : a < b;
  });
  using Busy = std::pair<std::uint32_t, std::uint32_t>;  // until this rank, this slot
  std::array<std::priority_queue<Busy, std::vector<Busy>, std::greater<>>, kSlotClasses> busy;
  std::array<std::vector<std::uint32_t>, kSlotClasses> free;
  for (const std::uint32_t reg : by_start) {
    const auto c = static_cast<std::size_t>(slot_class_of(function.registers[reg]));
    map.unwritten[reg] = hulls[reg].unwritten;
    map.read[reg] = hulls[reg].read;
    while (!busy[c].empty() && busy[c].top().first < hulls[reg].from) {
      free[c].push_back(busy[c].top().second);
      busy[c].pop();
    }
    if (free[c].empty()) {
      map.slot[reg] = map.slots[c]++;
    } else {
      map.slot[reg] = free[c].back();
      free[c].pop_back();
    }
    const bool shares = c != static_cast<std::size_t>(SlotClass::quad);
    busy[c].emplace(shares ? hulls[reg].to : kNone, map.slot[reg]);
  }
  return map;
}

}  // namespace warpbook::device::isa
