// Where threads wait for each other: shfl, vote, match, redux, elect and bar.warp for the lanes of a
// mask (PTX ISA 9.0, 9.7.9.6 and 9.7.13), bar for the block.
#include <algorithm>
#include <bit>

#include "tests/device/simulator/reference/machine.hpp"

namespace warpbook::device::tests::reference {

bool Machine::meets(Word opcode, std::span<const Word> modifiers) {
  switch (opcode) {
    case Word::shfl:
    case Word::vote:
    case Word::match:
    case Word::redux:
    case Word::elect:
      if (std::find(modifiers.begin(), modifiers.end(), Word::sync) == modifiers.end())
        throw Fault("lanes that meet without a mask");
      return true;
    case Word::bar:
    case Word::barrier: return true;
    default: return false;
  }
}

const ptx::Instruction& Machine::current(const Thread& t) const {
  return t.frames.back().function->instructions[t.frames.back().at];
}

/// Lets one group of lanes go on that has met. Lanes meet on opcode, modifiers and mask.
bool Machine::settle_lanes() {
  for (Thread& first : block_.threads) {
    if (first.status != Status::at_lanes) continue;
    const Instruction& what = current(first);
    const auto modifiers = module_.modifiers_of(what);
    std::vector<Thread*> members;
    bool all = true;
    for (Thread& t : block_.threads) {
      const bool asked = t.id / 32 == first.id / 32 && t.status != Status::done &&
                         (first.member_mask >> (t.id % 32) & 1) != 0;
      if (!asked) continue;
      const bool here = t.status == Status::at_lanes && t.member_mask == first.member_mask &&
                        current(t).opcode == what.opcode &&
                        std::ranges::equal(module_.modifiers_of(current(t)), modifiers);
      if (here)
        members.push_back(&t);
      else
        all = false;
    }
    if ((first.member_mask >> (first.id % 32) & 1) == 0) throw Fault("a lane outside of its mask");
    if (!all) continue;
    exchange(members);
    for (Thread* t : members) {
      t->status = Status::running;
      ++t->frames.back().at;
    }
    return true;
  }
  return false;
}

/// All threads that have not ended are at one barrier.
bool Machine::settle_barrier() {
  std::vector<Thread*> here;
  for (Thread& t : block_.threads) {
    if (t.status == Status::at_lanes) return false;
    if (t.status == Status::at_barrier) here.push_back(&t);
  }
  if (here.empty()) return false;
  const Scalar first = scalar_of(current(*here[0]));
  std::uint32_t votes = 0;
  for (Thread* t : here) {
    const auto ops = operands(current(*t));
    if (!std::ranges::equal(first.modifiers, module_.modifiers_of(current(*t))))
      throw Fault("threads wait at different barriers");
    if (first.has(Word::red)) votes += predicate(*t, ops[ops.size() - 1]);
  }
  ++block_.epoch;
  for (Thread* t : here) {
    const auto ops = operands(current(*t));
    if (first.has(Word::red)) {
      const bool holds = first.has(Word::and_) ? votes == here.size() : votes != 0;
      write(*t, ops[0], first.has(Word::popc) ? Wide{votes} : Wide{holds});
    }
    t->status = Status::running;
    ++t->frames.back().at;
  }
  return true;
}

void Machine::exchange(const std::vector<Thread*>& members) {
  const Instruction& what = current(*members[0]);
  const Scalar s = scalar_of(what);
  std::uint32_t mask = 0;
  for (const Thread* t : members) mask |= 1u << (t->id % 32);
  struct Lane {
    Thread* thread = nullptr;
    std::span<const Operand> ops;
    std::size_t first = 1;  ///< of the sources
    Wide a = 0;
    Wide d = 0;
    bool p = false;
  };
  std::array<Lane, 32> lanes;
  for (Thread* t : members) {
    Lane& l = lanes[t->id % 32];
    l.thread = t;
    l.ops = operands(current(*t));
    if (what.opcode == Word::bar || what.opcode == Word::barrier) continue;
    l.first = l.ops.size() > 1 && (l.ops[0].paired || l.ops[1].paired) ? 2 : 1;
    if (what.opcode != Word::elect) l.a = read(*t, l.ops[l.first], false);
  }
  const auto each = [&](auto&& visit) {
    for (int i = 0; i < 32; ++i) {
      if ((mask >> i & 1) != 0) visit(i, lanes[static_cast<std::size_t>(i)]);
    }
  };
  switch (what.opcode) {
    case Word::bar:
    case Word::barrier: return;
    case Word::shfl:
      // The ISA's algorithm (9.7.9.6), lane by lane.
      each([&](int lane, Lane& l) {
        const auto bval = static_cast<int>(read(*l.thread, l.ops[l.first + 1], false) & 0x1f);
        const auto c = static_cast<std::uint32_t>(read(*l.thread, l.ops[l.first + 2], false));
        const int cval = static_cast<int>(c & 0x1f), segment = static_cast<int>(c >> 8 & 0x1f);
        const int max_lane = (lane & segment) | (cval & ~segment), min_lane = lane & segment;
        int j = 0;
        if (s.has(Word::up)) {
          j = lane - bval;
          l.p = j >= max_lane;
        } else if (s.has(Word::down)) {
          j = lane + bval;
          l.p = j <= max_lane;
        } else if (s.has(Word::bfly)) {
          j = lane ^ bval;
          l.p = j <= max_lane;
        } else {
          j = min_lane | (bval & ~segment);
          l.p = j <= max_lane;
        }
        if (!l.p) j = lane;
        // What a lane that takes no part would give is open; the simulator says 0.
        l.d = (mask >> j & 1) != 0 ? lanes[static_cast<std::size_t>(j)].a : 0;
      });
      break;
    case Word::vote: {
      std::uint32_t votes = 0;
      each([&](int lane, Lane& l) { votes |= static_cast<std::uint32_t>(l.a & 1) << lane; });
      const bool all = votes == mask, any = votes != 0;
      const Wide d = s.has(Word::ballot) ? votes
                     : s.has(Word::all)  ? all
                     : s.has(Word::any)  ? any
                                         : all || !any;
      each([&](int, Lane& l) { l.d = d; });
      break;
    }
    case Word::match:
      each([&](int, Lane& l) {
        std::uint32_t equal = 0;
        each([&](int other, Lane& o) { equal |= o.a == l.a ? 1u << other : 0; });
        l.p = equal == mask;
        l.d = s.has(Word::all) && !l.p ? 0 : equal;
      });
      break;
    case Word::redux: {
      const Type type = s.type();
      bool begun = false;
      SignedWide r = 0;
      each([&](int, Lane& l) {
        const SignedWide v = number(is_integer(type) ? type : Type::u32, l.a);
        if (!begun)
          r = v;
        else if (s.has(Word::add))
          r += v;
        else if (s.has(Word::min))
          r = std::min(r, v);
        else if (s.has(Word::max))
          r = std::max(r, v);
        else if (s.has(Word::and_))
          r &= v;
        else if (s.has(Word::or_))
          r |= v;
        else
          r ^= v;
        begun = true;
      });
      each([&](int, Lane& l) { l.d = static_cast<Wide>(r); });
      break;
    }
    case Word::elect:
      each([&](int lane, Lane& l) {
        l.d = static_cast<Wide>(std::countr_zero(mask));
        l.p = lane == std::countr_zero(mask);
      });
      break;
    default: throw Fault("a meeting that the reference lacks");
  }
  each([&](int, Lane& l) {
    write(*l.thread, l.ops[0], l.d);
    if (l.first == 2) write(*l.thread, l.ops[1], l.p ? 1 : 0);
  });
}

}  // namespace warpbook::device::tests::reference
