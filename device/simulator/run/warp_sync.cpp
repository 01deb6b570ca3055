// Instructions at which the lanes of a warp meet: shfl, vote, match, redux, bar.warp.sync and elect, which wait for the lanes
// of a member mask (PTX ISA 9.0, 9.7.9.6 and 9.7.13), and matrix instructions, which wait for all 32 lanes (9.7.14). Lanes
// meet if opcode, qualifiers and mask are the same, even if they are at different places in the code.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "device/simulator/execute/matrix.hpp"
#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

using isa::SyncDetail;
using ptx::Type;
using ptx::Word;

/// The values that the members of a mask exchange.
struct Exchange {
  std::uint32_t members = 0;
  std::array<std::uint64_t, kLanes> a{}, d{};
  std::array<std::uint32_t, kLanes> b{}, c{};
  std::uint32_t votes = 0;      ///< vote's predicates
  std::uint32_t p = 0;          ///< resulting predicates, by lane
  std::uint32_t undefined = 0;  ///< initcheck: lanes whose source is undefined
  std::uint32_t undefined_out = 0;
  std::uint32_t missing = 0;  ///< lanes that shuffle the value of a lane which is no member
  std::array<std::uint8_t, kLanes> from{};  ///< of a shuffle: the lane whose value each gets
};

Message exited(std::uint32_t lanes) {
  return {"phrase.who.exited", {{"lanes", std::popcount(lanes)}}, {}};
}

std::uint32_t load_word(const std::byte* row, int lane) {
  std::uint32_t v;
  std::memcpy(&v, row + 4 * lane, sizeof v);
  return v;
}

void collect(const SyncDetail& d, const CallFrame& frame, std::uint32_t lanes, Exchange& x) {
  const std::byte* rows = frame.rows.get();
  if (d.opcode == Word::vote) {
    std::uint32_t p;
    std::memcpy(&p, rows + d.a, sizeof p);
    x.votes |= (d.negated ? ~p : p) & lanes;
    return;
  }
  if (d.a == kNone) return;
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    const auto l = static_cast<std::size_t>(i);
    if (d.type == Type::b64)
      std::memcpy(&x.a[l], rows + d.a + 8 * i, 8);
    else
      x.a[l] = load_word(rows + d.a, i);
    if (d.opcode == Word::shfl) {
      x.b[l] = load_word(rows + d.b, i);
      x.c[l] = load_word(rows + d.c, i);
    }
  }
}

void shuffle(const SyncDetail& d, Exchange& x, std::uint32_t lanes) {
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const auto l = static_cast<std::size_t>(lane);
    const int b = static_cast<int>(x.b[l] & 31), c = static_cast<int>(x.c[l] & 31);
    const int segment = static_cast<int>(x.c[l] >> 8 & 31);
    const int most = (lane & segment) | (c & ~segment), least = lane & segment;
    int from = 0;
    bool in = false;
    switch (d.mode) {
      case Word::up:
        from = lane - b;
        in = from >= most;
        break;
      case Word::down:
        from = lane + b;
        in = from <= most;
        break;
      case Word::bfly:
        from = lane ^ b;
        in = from <= most;
        break;
      default:
        from = least | (b & ~segment);
        in = from <= most;
        break;
    }
    if (!in) from = lane;
    // A lane that is not a member contributes nothing; the ISA leaves the value undefined.
    x.d[l] = x.members >> from & 1 ? x.a[static_cast<std::size_t>(from)] : 0;
    x.from[l] = static_cast<std::uint8_t>(from);
    x.undefined_out |= (x.undefined >> from & 1) << lane;
    x.missing |= (~x.members >> from & 1) << lane;
    x.p |= static_cast<std::uint32_t>(in) << lane;
  }
}

std::uint64_t reduce_floats(const SyncDetail& d, const Exchange& x) {
  std::uint32_t best = 0x7fffffff;
  bool any = false, nan = false;
  for (std::uint32_t m = x.members; m != 0; m &= m - 1) {
    auto v = static_cast<std::uint32_t>(x.a[static_cast<std::size_t>(std::countr_zero(m))]);
    if (d.abs) v &= 0x7fffffff;
    if ((v & 0x7fffffff) > 0x7f800000) {
      nan = true;
      continue;
    }
    const auto order = [](std::uint32_t u) { return u >> 31 ? ~u : u | 0x80000000; };
    if (!any || (d.mode == Word::min ? order(v) < order(best) : order(v) > order(best))) best = v;
    any = true;
  }
  return !any || (nan && d.nan) ? 0x7fffffff : best;
}

std::uint64_t reduce(const SyncDetail& d, const Exchange& x) {
  if (d.type == Type::f32) return reduce_floats(d, x);
  const bool is_signed = d.type == Type::s32;
  std::uint32_t r =
      static_cast<std::uint32_t>(x.a[static_cast<std::size_t>(std::countr_zero(x.members))]);
  for (std::uint32_t m = x.members & (x.members - 1); m != 0; m &= m - 1) {
    const auto v = static_cast<std::uint32_t>(x.a[static_cast<std::size_t>(std::countr_zero(m))]);
    const bool less =
        is_signed ? static_cast<std::int32_t>(v) < static_cast<std::int32_t>(r) : v < r;
    switch (d.mode) {
      case Word::add: r += v; break;
      case Word::min: r = less ? v : r; break;
      case Word::max: r = less ? r : v; break;
      case Word::and_: r &= v; break;
      case Word::or_: r |= v; break;
      default: r ^= v; break;
    }
  }
  return r;
}

void compute(const SyncDetail& d, Exchange& x) {
  const std::uint32_t members = x.members;
  std::uint64_t same = 0;
  switch (d.opcode) {
    case Word::shfl: shuffle(d, x, members); return;
    case Word::vote: {
      const bool all = x.votes == members, any = x.votes != 0;
      same = x.votes;
      const bool holds = d.mode == Word::all ? all : d.mode == Word::any ? any : all || !any;
      x.p = holds ? ~0u : 0;
      break;
    }
    case Word::match: {
      bool all = true;
      for (std::uint32_t m = members; m != 0; m &= m - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(m));
        std::uint32_t equal = 0;
        for (std::uint32_t n = members; n != 0; n &= n - 1) {
          const auto k = static_cast<std::size_t>(std::countr_zero(n));
          if (x.a[k] == x.a[i]) equal |= 1u << k;
        }
        x.d[i] = equal;
        all = all && equal == members;
      }
      if (d.mode == Word::all) {
        for (auto& v : x.d) v = all ? members : 0;
        x.p = all ? ~0u : 0;
      }
      if (x.undefined) x.undefined_out = members;
      return;
    }
    case Word::redux: same = reduce(d, x); break;
    case Word::elect:
      same = static_cast<std::uint64_t>(std::countr_zero(members));
      x.p = 1u << same;
      break;
    default: break;
  }
  if (x.undefined) x.undefined_out = members;
  for (auto& v : x.d) v = same;
}

void deliver(const SyncDetail& d, CallFrame& frame, std::uint32_t lanes, const Exchange& x) {
  std::byte* rows = frame.rows.get();
  const auto put_predicate = [&](std::uint32_t row) {
    std::uint32_t p;
    std::memcpy(&p, rows + row, sizeof p);
    p = (p & ~lanes) | (x.p & lanes);
    std::memcpy(rows + row, &p, sizeof p);
  };
  if (d.p != kNone) put_predicate(d.p);
  if (d.d == kNone) return;
  if (d.opcode == Word::vote && d.mode != Word::ballot) {
    put_predicate(d.d);
    return;
  }
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    const auto v = static_cast<std::uint32_t>(x.d[static_cast<std::size_t>(i)]);
    std::memcpy(rows + d.d + 4 * i, &v, sizeof v);
  }
}

void bring_definedness(const isa::Dependence& d, const CallFrame& frame, std::uint32_t lanes,
                       Exchange& x) {
  for (const std::uint32_t at : d.reads) {
    if (at == kNone) continue;
    std::uint32_t mask;
    std::memcpy(&mask, frame.rows.get() + at, sizeof mask);
    x.undefined |= mask & lanes;
  }
}

void take_definedness(const isa::Dependence& d, CallFrame& frame, std::uint32_t lanes,
                      const Exchange& x) {
  for (const std::uint32_t at : d.writes) {
    std::uint32_t mask;
    std::memcpy(&mask, frame.rows.get() + at, sizeof mask);
    mask = (mask & ~lanes) | (x.undefined_out & lanes);
    std::memcpy(frame.rows.get() + at, &mask, sizeof mask);
    frame.tainted |= mask != 0;
  }
}

/// A lane that gets an undefined value by a shuffle also learns where that value comes from: whoever looks at it first shall hear of the
/// read that it began with.
void note_handed_on(const SyncDetail& d, Context& c, const Exchange& x) {
  if (!c.check || d.opcode != Word::shfl || x.undefined_out == 0) return;
  auto& reads = c.observer->undefined_reads;
  const auto before = reads;
  for (std::uint32_t m = x.undefined_out; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    reads[lane] = before[x.from[lane]];
  }
}

/// What a lane got from one that takes no part is undefined, whoever looks at it first.
void note_missing(const BasicBlock& b, Context& c, Exchange& x) {
  if (!c.check || x.missing == 0) return;
  for (std::uint32_t m = x.missing; m != 0; m &= m - 1)
    c.observer->undefined_reads[static_cast<std::size_t>(std::countr_zero(m))] = {
        b.first_instruction + b.instructions - 1, 0, Space::none, 0, kNone};
  x.undefined_out |= x.missing;
}

/// A shuffle among all 32 lanes, which is the usual case and needs no Exchange.
template <class From>
void shuffle_rows(const SyncDetail& d, std::byte* rows, From&& from) {
  std::uint32_t a[kLanes], b[kLanes], c[kLanes], result[kLanes], in[kLanes];
  std::memcpy(a, rows + d.a, sizeof a);
  std::memcpy(b, rows + d.b, sizeof b);
  std::memcpy(c, rows + d.c, sizeof c);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int segment = static_cast<int>(c[lane] >> 8 & 31), limit = static_cast<int>(c[lane] & 31);
    const int most = (lane & segment) | (limit & ~segment);
    const std::pair<int, bool> source = from(lane, static_cast<int>(b[lane] & 31), segment, most);
    result[lane] = static_cast<std::uint32_t>(source.second ? source.first : lane);
    in[lane] = static_cast<std::uint32_t>(source.second) << lane;
  }
  std::uint32_t p = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    result[lane] = a[result[lane] & 31];
    p |= in[lane];
  }
  if (d.d != kNone) std::memcpy(rows + d.d, result, sizeof result);
  if (d.p != kNone) std::memcpy(rows + d.p, &p, sizeof p);
}

void shuffle_all(const SyncDetail& d, std::byte* rows) {
  switch (d.mode) {
    case Word::up:
      return shuffle_rows(d, rows, [](int lane, int b, int, int most) {
        return std::pair(lane - b, lane - b >= most);
      });
    case Word::down:
      return shuffle_rows(d, rows, [](int lane, int b, int, int most) {
        return std::pair(lane + b, lane + b <= most);
      });
    case Word::bfly:
      return shuffle_rows(d, rows, [](int lane, int b, int, int most) {
        return std::pair(lane ^ b, (lane ^ b) <= most);
      });
    default:
      return shuffle_rows(d, rows, [](int lane, int b, int segment, int most) {
        const int j = (lane & segment) | (b & ~segment);
        return std::pair(j, j <= most);
      });
  }
}

/// True where all 32 lanes name one value.
bool all_name(const std::byte* row, std::uint32_t value) {
  std::uint32_t words[kLanes], different = 0;
  std::memcpy(words, row, sizeof words);
  for (const std::uint32_t w : words) different |= w ^ value;
  return different == 0;
}

}  // namespace

/// A fragment reached an instruction that waits for other lanes. True where the launch goes on; the fragment may then have
/// passed the instruction, be waiting, or have been split by the masks that its lanes name.
bool BlockRunner::sync(WarpState& warp, Fragment& f, const BasicBlock& b) {
  const SyncDetail& d = code_.syncs[b.detail];
  if (d.matrix != kNone) return sync_matrix(warp, f, b);
  if (d.opcode == Word::shfl && f.mask == ~0u && !f.frame->tainted &&
      (d.mask_row == kNone || all_name(f.frame->rows.get() + d.mask_row, ~0u))) {
    shuffle_all(d, f.frame->rows.get());
    if (race && d.mask_row != kNone) race->warp_sync(warp, ~0u);
    f.block = b.next;
    return true;
  }
  const isa::Dependence& dependence = code_.dependences[b.first_instruction + b.instructions - 1];
  std::uint32_t members = f.mask;
  if (d.mask_row != kNone) {
    const std::byte* row = f.frame->rows.get() + d.mask_row;
    const std::uint32_t named = load_word(row, std::countr_zero(f.mask));
    std::uint32_t same = 0;
    for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
      const int lane = std::countr_zero(m);
      if (load_word(row, lane) == named) same |= 1u << lane;
    }
    if ((same & ~named) != 0) {
      stop(at(ErrorCode::sync_mask_mismatch,
              {{"instruction",
                std::string(launch.module.parsed().text_of(
                    *code_.instructions[b.first_instruction + b.instructions - 1].source))},
               {"who", Message{"phrase.who.stranger",
                               {{"lane", std::countr_zero(same & ~named)},
                                {"mask", fmt::format("{:#010x}", named)}},
                               {}}},
               {"warp", std::to_string(warp.index)},
               {"block", std::to_string(context.block_index)}},
              b));
      return false;
    }
    members = named & warp.live;
    if (same != f.mask) {
      // Lanes that name different masks become fragments of their own.
      Fragment& rest = split(warp, f, f.mask & ~same);
      f.members = named;
      f.waiting = Waiting::lanes;
      if (!sync(warp, rest, b)) return false;
      settle_syncs(warp);
      return true;
    }
    f.members = named;
  }
  if (members == f.mask) {
    Exchange x;
    x.members = members;
    collect(d, *f.frame, f.mask, x);
    if (context.check && f.frame->tainted) bring_definedness(dependence, *f.frame, f.mask, x);
    compute(d, x);
    note_handed_on(d, context, x);
    note_missing(b, context, x);
    deliver(d, *f.frame, f.mask, x);
    if (race && d.mask_row != kNone) race->warp_sync(warp, f.members);
    if (context.check && (f.frame->tainted || x.missing != 0))
      take_definedness(dependence, *f.frame, f.mask, x);
    f.block = b.next;
    f.waiting = Waiting::nothing;
    return true;
  }
  f.waiting = Waiting::lanes;
  settle_syncs(warp);
  return true;
}

/// Every group whose members have all arrived goes on.
void BlockRunner::settle_syncs(WarpState& warp) {
  for (bool again = true; again;) {
    again = false;
    for (const Fragment& f : warp.fragments) {
      if (f.waiting != Waiting::lanes) continue;
      const std::uint32_t key = code_.syncs[code_.blocks[f.block].detail].key;
      std::uint32_t here = 0;
      for (const Fragment& other : warp.fragments) {
        if (other.waiting == Waiting::lanes && other.members == f.members &&
            code_.syncs[code_.blocks[other.block].detail].key == key) {
          here |= other.mask;
        }
      }
      if (here == (f.members & warp.live)) {
        if (code_.syncs[code_.blocks[f.block].detail].matrix != kNone)
          finish_matrix(warp, key);
        else
          finish_sync(warp, f.members, key);
        again = true;
        break;
      }
    }
  }
}

void BlockRunner::finish_sync(WarpState& warp, std::uint32_t members, std::uint32_t key) {
  Exchange x;
  const SyncDetail* detail = nullptr;
  const BasicBlock* block = nullptr;
  const auto each = [&](auto&& visit) {
    for (Fragment& f : warp.fragments) {
      if (f.waiting != Waiting::lanes || f.members != members) continue;
      const BasicBlock& b = code_.blocks[f.block];
      if (code_.syncs[b.detail].key == key) visit(f, code_.syncs[b.detail], b);
    }
  };
  each([&](Fragment& f, const SyncDetail& d, const BasicBlock& b) {
    detail = &d;
    block = &b;
    x.members |= f.mask;
    collect(d, *f.frame, f.mask, x);
    if (context.check)
      bring_definedness(code_.dependences[b.first_instruction + b.instructions - 1], *f.frame,
                        f.mask, x);
  });
  // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): whoever came last waits here, too
  compute(*detail, x);
  note_handed_on(*detail, context, x);
  note_missing(*block, context, x);
  if (race) race->warp_sync(warp, members);
  each([&](Fragment& f, const SyncDetail& d, const BasicBlock& b) {
    deliver(d, *f.frame, f.mask, x);
    if (context.check)
      take_definedness(code_.dependences[b.first_instruction + b.instructions - 1], *f.frame,
                       f.mask, x);
    f.block = b.next;
    f.waiting = Waiting::nothing;
  });
}

/// Executes a matrix instruction for the warp's 32 lanes, which are those of `frame`. True where the launch goes on.
bool BlockRunner::run_matrix(const isa::MatrixDetail& x, CallFrame& frame, const BasicBlock& b) {
  const auto wrong = execute_matrix(x, context, frame);
  if (!wrong) return true;
  stop(at(ErrorCode::lanes_disagree,
          {{"instruction",
            std::string(launch.module.parsed().text_of(*code_.instructions[x.index].source))},
           {"what", Message{"phrase.lanes-disagree." + std::string(wrong->what), {}, {}}},
           {"lane", std::to_string(wrong->lane)},
           {"warp", std::to_string(context.warp_index)},
           {"block", std::to_string(context.block_index)}},
          b));
  return false;
}

void BlockRunner::incomplete(const WarpState& warp, Message who, const BasicBlock& b) {
  stop(at(
      ErrorCode::warp_incomplete,
      {{"instruction", std::string(launch.module.parsed().text_of(
                           *code_.instructions[b.first_instruction + b.instructions - 1].source))},
       {"who", std::move(who)},
       {"warp", std::to_string(warp.index)},
       {"block", std::to_string(context.block_index)}},
      b));
}

/// A fragment reached a matrix instruction. True where the launch goes on; the fragment may be waiting.
bool BlockRunner::sync_matrix(WarpState& warp, Fragment& f, const BasicBlock& b) {
  if (warp.live != ~0u) {
    incomplete(warp,
               warp.lanes != ~0u
                   ? Message{"phrase.who.few-lanes", {{"lanes", std::popcount(warp.lanes)}}, {}}
                   : exited(~warp.live),
               b);
    return false;
  }
  if (f.mask == ~0u) {
    f.block = b.next;
    return run_matrix(code_.matrices[code_.syncs[b.detail].matrix], *f.frame, b);
  }
  f.members = ~0u;
  f.waiting = Waiting::lanes;
  settle_syncs(warp);
  return !stopped();
}

/// All lanes of the warp that have not exited wait at one matrix instruction, which now executes.
void BlockRunner::finish_matrix(WarpState& warp, std::uint32_t key) {
  Fragment* first = nullptr;
  bool one_frame = true;
  std::uint32_t here = 0;
  for (Fragment& f : warp.fragments) {
    if (f.waiting != Waiting::lanes || code_.syncs[code_.blocks[f.block].detail].key != key)
      continue;
    if (!first) first = &f;
    one_frame = one_frame && f.frame == first->frame;
    here |= f.mask;
  }
  if (!first) return;  // cannot be: the caller found `key` at one of them
  const BasicBlock& b = code_.blocks[first->block];
  for (Fragment& f : warp.fragments) {
    if (f.waiting != Waiting::lanes || code_.syncs[code_.blocks[f.block].detail].key != key)
      continue;
    f.waiting = Waiting::nothing;
    f.block = b.next;
  }
  if (here == ~0u && one_frame) {
    set_frame(*first);
    run_matrix(code_.matrices[code_.syncs[b.detail].matrix], *first->frame, b);
  } else if (here == ~0u) {
    incomplete(warp, {"phrase.who.different-calls", {}, {}}, b);
  } else {
    incomplete(warp, exited(~here), b);
  }
  // After an error the warp ends before its next basic block.
  if (stopped()) next_check_ = 0;
}

}  // namespace warpbook::device
