// Counting, as launch_record.hpp defines the counters: from the lanes that were in step.
#include <algorithm>
#include <set>

#include "tests/device/simulator/reference/machine.hpp"

namespace warpbook::device::tests::reference {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  a ^= a >> 29;
  return a * 0x94d049bb133111ebu;
}

using Lanes = std::map<std::uint32_t, std::uint64_t>;

std::uint64_t sectors(const Lanes& lanes, std::uint32_t bytes) {
  std::set<std::uint64_t> touched;
  for (const auto& [lane, at] : lanes) {
    for (std::uint64_t b = at; b < at + bytes; ++b) touched.insert(b / kSectorBytes);
  }
  return touched.size();
}

/// A warp's access goes at once for up to 4 bytes a lane, by halves for 8, by quarters for 16; each
/// pass takes one word of every bank.
void wavefronts(const Lanes& lanes, std::uint32_t bytes, Counters& c) {
  const std::uint32_t passes = bytes <= 4 ? 1 : bytes / 4, together = 32 / passes;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    std::set<std::uint64_t> words;
    for (const auto& [lane, at] : lanes) {
      if (lane / together != pass) continue;
      for (std::uint64_t b = at; b < at + bytes; ++b) words.insert(b / 4);
    }
    if (words.empty()) continue;
    std::map<std::uint64_t, std::uint64_t> in_bank;
    std::uint64_t most = 0;
    for (const std::uint64_t w : words) most = std::max(most, ++in_bank[w % 32]);
    c.shared_wavefronts += most;
    c.shared_wavefronts_ideal += (words.size() + 31) / 32;
  }
}

void count_access(const Group& g, Space space, const Lanes& lanes, Counters& c) {
  const std::uint64_t all = lanes.size() * g.access_bytes;
  switch (space) {
    case Space::global: {
      const std::uint64_t n = sectors(lanes, g.access_bytes);
      ++c.global_requests;
      c.global_sectors += n;
      c.global_bytes_asked += all;
      (g.kind == AccessKind::load ? c.global_load_sectors : c.global_store_sectors) += n;
      break;
    }
    case Space::shared:
      ++c.shared_requests;
      c.shared_bytes += all;
      wavefronts(lanes, g.access_bytes, c);
      break;
    case Space::local:
      ++c.local_requests;
      c.local_bytes += all;
      break;
    case Space::constant: ++c.constant_requests; break;
    default: break;
  }
  if (g.kind != AccessKind::atomic) return;
  c.atomics += lanes.size();
  std::set<std::uint64_t> different;
  for (const auto& [lane, at] : lanes) different.insert(at);
  c.atomic_collisions += lanes.size() - different.size();
}

Counters count(const Group& g) {
  Counters c;
  c.warp_instructions = 1;
  switch (g.instruction->opcode) {
    case Word::bra:
      if (!g.instruction->guarded) break;
      c.branches = 1;
      c.divergent_branches = g.active != 0 && g.active != g.lanes;
      break;
    case Word::shfl: c.shuffles = 1; break;
    case Word::vote:
    case Word::match:
    case Word::redux:
    case Word::elect: c.votes = 1; break;
    default: break;
  }
  for (const auto& [space, lanes] : g.accesses) count_access(g, space, lanes, c);
  return c;
}

}  // namespace

Group& Machine::note(Thread& t, const Instruction& i, bool active) {
  const Frame& f = t.frames.back();
  std::uint64_t key = mixed(f.place, f.at);
  for (std::size_t l = 0; l < f.loops->all.size(); ++l) {
    if (f.loops->all[l].body[f.at]) key = mixed(key, f.turns[l]);
  }
  Group& g = block_.groups[t.id / 32][key];
  g.instruction = &i;
  g.lanes |= 1u << (t.id % 32);
  if (active) g.active |= 1u << (t.id % 32);
  return g;
}

void Machine::finish() {
  for (const auto& [i, threads] : executed_) {
    result_.instructions[i->ptx_line].thread_instructions += threads;
    if (i->location != ptx::kNone)
      result_.lines[module_.locations[i->location].line].thread_instructions += threads;
    result_.total.thread_instructions += threads;
  }
}

void Machine::finish_block() {
  for (const auto& warp : block_.groups) {
    for (const auto& [key, group] : warp) {
      Counters c = count(group);
      const Instruction& i = *group.instruction;
      const auto modifiers = module_.modifiers_of(i);
      const bool of_block =
          (i.opcode == Word::bar || i.opcode == Word::barrier) &&
          std::find(modifiers.begin(), modifiers.end(), Word::warp) == modifiers.end();
      if (of_block) c.barriers = 1;
      result_.instructions[i.ptx_line] += c;
      if (i.location != ptx::kNone) result_.lines[module_.locations[i.location].line] += c;
      result_.total += c;
    }
  }
}

}  // namespace warpbook::device::tests::reference
