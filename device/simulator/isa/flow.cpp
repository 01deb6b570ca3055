// Basic blocks and the order of a function's blocks.
#include "device/simulator/isa/flow.hpp"

#include <algorithm>

namespace warpbook::device::isa {
namespace {

using ptx::Operand;
using ptx::Word;

/// How control leaves an instruction.
struct Exit {
  bool ends_block = false;
  bool falls_through = true;
};

bool never_returns(const ptx::Module& module, const ptx::Function& function,
                   const ptx::Instruction& call) {
  for (const Operand& operand : module.operands_of(call)) {
    if (operand.kind == Operand::Kind::symbol && operand.home == Operand::Home::function) {
      return module.functions[operand.index].noreturn;
    }
    if (operand.kind == Operand::Kind::table) {
      return function.tables[operand.index].noreturn;
    }
  }
  return false;
}

Exit exit_of(const ptx::Module& module, const ptx::Function& function,
             const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Word::bra:
    case Word::brx:
    case Word::ret:
    case Word::exit:
    case Word::trap: return {true, instruction.guarded};
    case Word::call:
      if (never_returns(module, function, instruction)) {
        return {true, instruction.guarded};
      }
      return {};
    default: return {};
  }
}

/// The labels that a branch names.
std::vector<std::uint32_t> targets_of(const ptx::Module& module, const ptx::Function& function,
                                      const ptx::Instruction& instruction) {
  std::vector<std::uint32_t> labels;
  if (instruction.opcode == Word::bra || instruction.opcode == Word::brx) {
    for (const Operand& operand : module.operands_of(instruction)) {
      if (operand.kind == Operand::Kind::label) {
        labels.push_back(operand.index);
      } else if (operand.kind == Operand::Kind::table) {
        const std::vector<std::uint32_t>& listed = function.tables[operand.index].labels;
        labels.insert(labels.end(), listed.begin(), listed.end());
      }
    }
  }
  return labels;
}

void cut_into_blocks(const ptx::Module& module, const ptx::Function& function, Flow& flow) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<bool> leads(count + 1, false);
  leads[0] = leads[count] = true;
  for (const std::uint32_t place : function.labels) {
    leads[place] = true;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (exit_of(module, function, function.instructions[i]).ends_block) {
      leads[i + 1] = true;
    }
  }
  flow.block_of.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leads[i]) {
      flow.blocks.push_back({i, i});
    }
    flow.blocks.back().end = i + 1;
    flow.block_of[i] = static_cast<std::uint32_t>(flow.blocks.size() - 1);
  }
}

void connect(const ptx::Module& module, const ptx::Function& function, Flow& flow) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  for (FlowBlock& block : flow.blocks) {
    const ptx::Instruction& last = function.instructions[block.end - 1];
    block.successor_first = static_cast<std::uint32_t>(flow.successors.size());
    std::vector<std::uint32_t> next;
    if (exit_of(module, function, last).falls_through && block.end < count) {
      next.push_back(flow.block_of[block.end]);
    }
    for (const std::uint32_t label : targets_of(module, function, last)) {
      const std::uint32_t place = function.labels[label];
      if (place < count) {  // a label behind the last instruction leads out of the function
        next.push_back(flow.block_of[place]);
      }
    }
    if (next.size() > 2) {
      std::sort(next.begin(), next.end());
    }
    next.erase(std::unique(next.begin(), next.end()), next.end());
    block.successor_count = static_cast<std::uint32_t>(next.size());
    flow.successors.insert(flow.successors.end(), next.begin(), next.end());
  }
}

/// Lays the blocks out after Bourdoncle's weak topological order (Efficient chaotic iteration
/// strategies with widenings, 1993): the strongly connected parts of the graph in topological
/// order, each laid out in the same way without the edges to its head. No part is revisited more
/// often than loops are nested.
class Layout {
 public:
  explicit Layout(Flow& flow)
      : flow_(flow),
        region_(flow.blocks.size(), 0),
        number_(flow.blocks.size(), 0),
        low_(flow.blocks.size(), 0) {}

  void run() {
    std::vector<std::uint32_t> all(flow_.blocks.size());
    for (std::uint32_t b = 0; b < all.size(); ++b) {
      all[b] = b;
    }
    enter_region(all);
    Parts reached = parts_from({0});
    std::vector<std::uint32_t> unreached;
    for (const std::uint32_t b : all) {
      if (number_[b] == 0) {
        unreached.push_back(b);
      }
    }
    lay_out(reached, 0);
    if (!unreached.empty()) {
      enter_region(unreached);
      lay_out(parts_from(unreached), 0);
    }
  }

 private:
  /// Strongly connected parts, in reverse topological order; the first block of each is its head.
  struct Parts {
    std::vector<std::uint32_t> blocks;
    std::vector<std::uint32_t> ends;
  };
  struct Visit {
    std::uint32_t block;
    std::uint32_t next;  ///< successors still to be looked at
  };
  /// Deeper nests of loops are laid out as one loop: no real program has them, and it keeps the
  /// work linear.
  static constexpr int kMaxDepth = 64;

  void enter_region(std::span<const std::uint32_t> blocks) {
    ++current_region_;
    for (const std::uint32_t b : blocks) {
      region_[b] = current_region_;
      number_[b] = 0;
    }
  }

  /// Tarjan's algorithm with a stack of its own, within the current region.
  Parts parts_from(const std::vector<std::uint32_t>& starts) {
    Parts parts;
    std::uint32_t counter = 0;
    std::vector<std::uint32_t> open;  // visited, and not yet in a part
    std::vector<Visit> path;
    const auto visit = [&](std::uint32_t b) {
      number_[b] = low_[b] = ++counter;
      open.push_back(b);
      path.push_back({b, flow_.blocks[b].successor_count});
    };
    for (const std::uint32_t start : starts) {
      if (number_[start] != 0) {
        continue;
      }
      visit(start);
      while (!path.empty()) {
        const std::uint32_t b = path.back().block;
        if (path.back().next > 0) {
          // The last successor first: the block visited last comes first in the order, and the first
          // successor is the one that falls through.
          const std::uint32_t to = flow_.successors_of(b)[--path.back().next];
          if (region_[to] != current_region_) {
            continue;
          }
          if (number_[to] == 0) {
            visit(to);
          } else {
            low_[b] = std::min(low_[b], number_[to]);
          }
          continue;
        }
        path.pop_back();
        if (!path.empty()) {
          low_[path.back().block] = std::min(low_[path.back().block], low_[b]);
        }
        if (low_[b] == number_[b]) {
          const auto head = std::find(open.rbegin(), open.rend(), b).base() - 1;
          parts.blocks.insert(parts.blocks.end(), head, open.end());
          for (auto member = head; member != open.end(); ++member) {
            region_[*member] = 0;  // its part is complete: edges to it no longer count
          }
          open.erase(head, open.end());
          parts.ends.push_back(static_cast<std::uint32_t>(parts.blocks.size()));
        }
      }
    }
    return parts;
  }

  void lay_out(const Parts& parts, int depth) {
    for (std::size_t i = parts.ends.size(); i-- > 0;) {
      const std::uint32_t first = i == 0 ? 0 : parts.ends[i - 1];
      const std::span part = std::span(parts.blocks).subspan(first, parts.ends[i] - first);
      flow_.order.push_back(part.front());
      if (part.size() == 1) {
        continue;
      }
      const std::span rest = part.subspan(1);
      if (depth == kMaxDepth) {
        flow_.order.insert(flow_.order.end(), rest.begin(), rest.end());
        continue;
      }
      enter_region(rest);
      // Start at the successors of the head, the last one first, as above. They lead to every other block of the part.
      std::vector<std::uint32_t> starts;
      const std::span successors = flow_.successors_of(part.front());
      for (std::size_t s = successors.size(); s-- > 0;) {
        if (region_[successors[s]] == current_region_) {
          starts.push_back(successors[s]);
        }
      }
      lay_out(parts_from(starts), depth + 1);
    }
  }

  Flow& flow_;
  std::vector<std::uint32_t> region_;  ///< which call of enter_region holds the block now; 0: none
  std::vector<std::uint32_t> number_;  ///< order of the visit; 0: not visited
  std::vector<std::uint32_t> low_;
  std::uint32_t current_region_ = 0;
};

}  // namespace

Flow find_flow(const ptx::Module& module, const ptx::Function& function) {
  Flow flow;
  if (function.instructions.empty()) {
    return flow;
  }
  cut_into_blocks(module, function, flow);
  connect(module, function, flow);
  flow.order.reserve(flow.blocks.size());
  Layout(flow).run();
  flow.rank.resize(function.instructions.size());
  std::uint32_t rank = 0;
  for (std::uint32_t position = 0; position < flow.order.size(); ++position) {
    FlowBlock& block = flow.blocks[flow.order[position]];
    block.position = position;
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      flow.rank[i] = rank++;
    }
  }
  return flow;
}

}  // namespace warpbook::device::isa
