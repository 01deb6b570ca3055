#include "tests/device/simulator/reference/loops.hpp"

#include <algorithm>

namespace warpbook::device::tests::reference {
namespace {

using ptx::Word;

using Set = std::vector<bool>;

std::size_t size_of(const Loop& loop) {
  return static_cast<std::size_t>(std::count(loop.body.begin(), loop.body.end(), true));
}

/// For each instruction all that stand on every way to it.
std::vector<Set> dominators(const std::vector<std::vector<std::uint32_t>>& before) {
  const std::size_t n = before.size();
  std::vector<Set> dominators(n, Set(n, true));
  dominators[0].assign(n, false);
  dominators[0][0] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < n; ++i) {
      Set common(n, true);
      for (const std::uint32_t p : before[i]) {
        for (std::size_t k = 0; k < n; ++k) common[k] = common[k] && dominators[p][k];
      }
      common[i] = true;
      if (common != dominators[i]) {
        dominators[i] = std::move(common);
        changed = true;
      }
    }
  }
  return dominators;
}

/// True where a cycle is left once all back edges are taken away.
bool has_cycle(const std::vector<std::vector<std::uint32_t>>& after,
               const std::vector<Set>& dominators) {
  const std::size_t n = after.size();
  std::vector<std::uint32_t> incoming(n);
  const auto each = [&](std::size_t from, auto&& visit) {
    for (const std::uint32_t to : after[from]) {
      if (to < n && !dominators[from][to]) visit(to);
    }
  };
  for (std::size_t i = 0; i < n; ++i) each(i, [&](std::uint32_t to) { ++incoming[to]; });
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < n; ++i) {
    if (incoming[i] == 0) ready.push_back(i);
  }
  std::size_t ordered = 0;
  while (!ready.empty()) {
    const std::size_t i = ready.back();
    ready.pop_back();
    ++ordered;
    each(i, [&](std::uint32_t to) {
      if (--incoming[to] == 0) ready.push_back(to);
    });
  }
  return ordered != n;
}

}  // namespace

std::vector<std::uint32_t> successors(const ptx::Module& module, const ptx::Function& function,
                                      std::uint32_t at) {
  const ptx::Instruction& i = function.instructions[at];
  const auto operands = module.operands_of(i);
  std::vector<std::uint32_t> next;
  const bool leaves = i.opcode == Word::bra || i.opcode == Word::brx || i.opcode == Word::ret ||
                      i.opcode == Word::exit || i.opcode == Word::trap;
  if (!leaves || i.guarded) next.push_back(at + 1);
  if (i.opcode == Word::bra) next.push_back(function.labels[operands[0].index]);
  if (i.opcode == Word::brx) {
    for (const std::uint32_t label : function.tables[operands[1].index].labels)
      next.push_back(function.labels[label]);
  }
  return next;
}

Loops find_loops(const ptx::Module& module, const ptx::Function& function) {
  Loops loops;
  const auto n = static_cast<std::uint32_t>(function.instructions.size());
  if (n == 0) return loops;
  std::vector<std::vector<std::uint32_t>> after(n), before(n);
  bool backwards = false;
  for (std::uint32_t i = 0; i < n; ++i) {
    after[i] = successors(module, function, i);
    for (const std::uint32_t to : after[i]) {
      backwards |= to <= i;
      if (to < n) before[to].push_back(i);
    }
  }
  if (!backwards) return loops;  // most functions
  const std::vector<Set> over = dominators(before);
  for (std::uint32_t tail = 0; tail < n; ++tail) {
    for (const std::uint32_t head : after[tail]) {
      if (head >= n || !over[tail][head]) continue;
      auto loop = std::find_if(loops.all.begin(), loops.all.end(),
                               [&](const Loop& l) { return l.head == head; });
      if (loop == loops.all.end()) {
        loops.all.push_back({head, Set(n, false)});
        loop = loops.all.end() - 1;
        loop->body[head] = true;
      }
      std::vector<std::uint32_t> open{tail};
      while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        if (loop->body[at]) continue;
        loop->body[at] = true;
        open.insert(open.end(), before[at].begin(), before[at].end());
      }
    }
  }
  for (const Loop& l : loops.all) {
    const auto ways_back = std::count_if(before[l.head].begin(), before[l.head].end(),
                                         [&](std::uint32_t from) { return over[from][l.head]; });
    if (ways_back != 1) loops.in_step = false;
    // Nor may the way back lead out of another loop: who takes it meets those who stay in that one.
    for (const Loop& inner : loops.all) {
      for (const std::uint32_t tail : before[l.head]) {
        if (over[tail][l.head] && inner.body[tail] && !inner.body[l.head]) loops.in_step = false;
      }
    }
  }
  std::stable_sort(loops.all.begin(), loops.all.end(),
                   [](const Loop& a, const Loop& b) { return size_of(a) > size_of(b); });
  loops.in_step = loops.in_step && !has_cycle(after, over);
  return loops;
}

}  // namespace warpbook::device::tests::reference
