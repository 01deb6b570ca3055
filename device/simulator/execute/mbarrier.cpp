// What mbarriers do (PTX ISA 9.0, 9.7.13.15.1 to 9.7.13.15.9).
#include <algorithm>
#include <bit>
#include <cstring>

#include "device/simulator/execute/async.hpp"
#include "device/simulator/execute/common_handlers.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {
namespace {

constexpr std::int64_t kMostBytes = Mbarrier::kMost;

void write_image(BlockState& block, const Mbarrier& m) {
  const std::uint64_t image = m.image();
  std::memcpy(block.shared.get() + m.offset, &image, sizeof image);
  block.shared_valid[m.offset / 4] = block.shared_valid[m.offset / 4 + 1] = 0xf;
}

auto find(AsyncState& async, std::uint32_t offset) {
  return std::lower_bound(async.mbarriers.begin(), async.mbarriers.end(), offset,
                          [](const Mbarrier& m, std::uint32_t at) { return m.offset < at; });
}

bool intact(const BlockState& block, const Mbarrier& m) {
  std::uint64_t image;
  std::memcpy(&image, block.shared.get() + m.offset, sizeof image);
  return image == m.image();
}

}  // namespace

void report_mbarrier(Context& c, const Actor& actor, ErrorCode code, std::uint32_t offset,
                     std::uint64_t size) {
  RawFinding finding;
  finding.code = code;
  finding.block = actor.block;
  finding.thread = actor.thread;
  finding.instruction = actor.instruction;
  finding.kind = AccessKind::atomic;
  finding.space = Space::shared;
  finding.address = offset;
  finding.bytes = 8;
  finding.limit = size;
  finding.table = c.observer->table;
  c.observer->find(std::move(finding));
}

Mbarrier* mbarrier_at(Context& c, BlockState& block, std::uint32_t offset, const Actor& actor) {
  const auto m = find(*block.async, offset);
  if (m == block.async->mbarriers.end() || m->offset != offset) {
    report_mbarrier(c, actor, ErrorCode::mbarrier_uninitialised, offset, 0);
    return nullptr;
  }
  if (!intact(block, *m)) {
    report_mbarrier(c, actor, ErrorCode::mbarrier_overwritten, offset, 0);
    return nullptr;
  }
  return &*m;
}

bool signal(Context& c, BlockState& block, std::uint32_t offset, std::uint32_t arrivals,
            std::uint32_t dropped, std::int64_t bytes, const Actor& actor) {
  Mbarrier* m = mbarrier_at(c, block, offset, actor);
  if (!m) return false;
  if (std::abs(m->transactions + bytes) > kMostBytes) {
    report_mbarrier(c, actor, ErrorCode::mbarrier_bytes, offset,
                    static_cast<std::uint64_t>(std::abs(bytes)));
    return false;
  }
  if (arrivals > m->pending) {
    report_mbarrier(c, actor, ErrorCode::mbarrier_overflow, offset, m->pending);
    return false;
  }
  m->transactions += bytes;
  m->pending -= arrivals;
  m->expected -= std::min(m->expected, dropped);
  if (m->pending == 0 && m->transactions == 0) {
    ++m->phase;
    if (c.race) c.race->phase_ends(block, offset);
    m->pending = m->expected;
  }
  write_image(block, *m);
  block.async->stirred = true;
  ++c.changes;
  return true;
}

bool expect_arrival(Context& c, BlockState& block, Mbarrier& m, const Actor& actor) {
  if (m.pending == Mbarrier::kMost) {
    report_mbarrier(c, actor, ErrorCode::mbarrier_count, m.offset, std::uint64_t{m.pending} + 1);
    return false;
  }
  ++m.pending;
  write_image(block, m);
  return true;
}

bool phase_complete(Context& c, BlockState& block, std::uint32_t offset, std::uint64_t state,
                    bool parity, const Actor& actor) {
  const auto complete = [&](const Mbarrier& m) {
    return parity ? (m.phase & 1) != (state & 1) : (m.phase & 0xffffff) != state >> 40;
  };
  Mbarrier* m = mbarrier_at(c, block, offset, actor);
  if (!m) return true;  // no thread could ever complete it
  if (!complete(*m)) {
    settle_mbarrier(c, block, offset);
    m = mbarrier_at(c, block, offset, actor);
    if (!m) return true;
  }
  if (!complete(*m)) return false;
  if (!parity && ((m->phase - 1) & 0xffffff) != state >> 40)
    report_mbarrier(c, actor, ErrorCode::mbarrier_phase, offset, 0);
  return true;
}

void settle_mbarrier(Context& c, BlockState& block, std::uint32_t offset) {
  AsyncState& async = *block.async;
  for (std::size_t k = 0; k < async.arrivals.size();) {
    if (async.arrivals[k].mbarrier != offset) {
      ++k;
      continue;
    }
    const PendingArrival arrival = async.arrivals[k];
    async.arrivals.erase(async.arrivals.begin() + static_cast<std::ptrdiff_t>(k));
    auto& copies = async.warps[arrival.warp].copies;
    for (PendingCopy& copy : copies) {
      if (copy.number < arrival.number) land_copy(c, block, copy, arrival.lanes);
    }
    std::erase_if(copies, [](const PendingCopy& copy) { return copy.lanes == 0; });
    if (c.race) c.race->arrives(block, offset, arrival.history);
    signal(c, block, offset, static_cast<std::uint32_t>(std::popcount(arrival.lanes)), 0, 0,
           arrival.actor);
  }
  for (std::size_t k = 0; k < async.bulk.size();) {
    if (async.bulk[k].mbarrier != offset) {
      ++k;
      continue;
    }
    const BulkOperation operation = async.bulk[k];
    async.bulk.erase(async.bulk.begin() + static_cast<std::ptrdiff_t>(k));
    land_bulk(c, operation);
    if (c.race) c.race->arrives(block, offset, operation.history);
    signal(c, block, offset, 0, 0, -static_cast<std::int64_t>(operation.bytes), operation.actor);
  }
}

namespace isa::async_handlers {
namespace {

Actor actor_of(const DecodedInstruction& o, const Context& c, int lane) {
  return {o.index, c.block_index, c.thread_of(lane)};
}

std::uint32_t word_in_lane(const Context& c, std::uint32_t row, int lane) {
  std::uint32_t v;
  std::memcpy(&v, c.frame + row + 4 * lane, sizeof v);
  return v;
}

void set_predicate(const Context& c, std::uint32_t row, std::uint32_t lanes) {
  if (row == kNone) return;
  std::uint32_t p;
  std::memcpy(&p, c.frame + row, sizeof p);
  p = (p & ~c.mask) | (lanes & c.mask);
  std::memcpy(c.frame + row, &p, sizeof p);
}

/// Calls `visit(lane, block, offset, actor)` for the lanes whose operand is a good place for an mbarrier, and counts.
template <class Visit>
void each_mbarrier(const DecodedInstruction& o, Context& c, const AsyncDetail& d, Visit&& visit) {
  std::uint32_t lanes = 0;
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t address = address_in_lane(d.barrier, c.frame, lane);
    const SharedPlace place =
        shared_place(o, c, d.barrier, address, lane, AccessKind::atomic, 8, 8);
    if (!place.block) continue;
    ++lanes;
    visit(lane, *place.block, place.offset, actor_of(o, c, lane));
  }
  if (lanes == 0) return;
  AccessTally& t = c.tallies[o.memo];
  t.shared_requests += 1;
  t.shared_wavefronts += 1;
  t.shared_ideal += 1;
  t.shared_lanes += lanes;
  t.atomics += lanes;
}

bool is_own(const DecodedInstruction& o, Context& c, BlockState& block, std::uint32_t offset,
            int lane) {
  if (&block == c.block) return true;
  report_access(o, c, ErrorCode::mbarrier_remote, lane, Space::shared, AccessKind::atomic, offset,
                8, 0);
  return false;
}

}  // namespace

void mbarrier_init(const DecodedInstruction& o, Context& c) {
  const AsyncDetail& d = c.code->asyncs[o.f];
  each_mbarrier(o, c, d, [&](int lane, BlockState& block, std::uint32_t offset, const Actor& who) {
    if (!is_own(o, c, block, offset, lane)) return;
    const std::uint32_t count = word_in_lane(c, d.count, lane);
    if (count == 0 || count > Mbarrier::kMost) {
      report_mbarrier(c, who, ErrorCode::mbarrier_count, offset, count);
      return;
    }
    auto& all = block.async->mbarriers;
    auto at = find(*block.async, offset);
    if (at == all.end() || at->offset != offset) {
      at = all.insert(at, Mbarrier{});
    } else if (intact(block, *at)) {
      report_mbarrier(c, who, ErrorCode::mbarrier_reinitialised, offset, 0);
    }
    *at = Mbarrier{};
    at->offset = offset;
    at->initialised = o.index;
    at->expected = at->pending = count;
    if (c.race) {
      c.race->touch_mbarrier(o.index, c, block, offset, lane, true);
      c.race->mbarrier_begins(block, offset);
    }
    write_image(block, *at);
    ++c.changes;
  });
}

void mbarrier_inval(const DecodedInstruction& o, Context& c) {
  const AsyncDetail& d = c.code->asyncs[o.f];
  each_mbarrier(o, c, d, [&](int lane, BlockState& block, std::uint32_t offset, const Actor& who) {
    if (!is_own(o, c, block, offset, lane)) return;
    settle_mbarrier(c, block, offset);
    if (c.race) c.race->touch_mbarrier(o.index, c, block, offset, lane, true);
    if (!mbarrier_at(c, block, offset, who)) return;
    block.async->mbarriers.erase(find(*block.async, offset));
    hide_bytes(c, block, offset, 8);
    ++c.changes;
  });
}

void mbarrier_signal(const DecodedInstruction& o, Context& c) {
  const AsyncDetail& d = c.code->asyncs[o.f];
  const MbarrierSignal kind = o.mbarrier.signal;
  if (c.race) c.race->begin_segment(c.mask);
  each_mbarrier(o, c, d, [&](int lane, BlockState& block, std::uint32_t offset, const Actor& who) {
    if (c.race) c.race->touch_mbarrier(o.index, c, block, offset, lane, false);
    const std::uint32_t given = d.count == kNone ? 1 : word_in_lane(c, d.count, lane);
    if (d.d != kNone && !is_own(o, c, block, offset, lane)) return;
    if (kind != MbarrierSignal::arrive) {
      const auto bytes = static_cast<std::int64_t>(given);
      signal(c, block, offset, 0, 0, kind == MbarrierSignal::expect ? bytes : -bytes, who);
      return;
    }
    const std::uint32_t arrivals = d.expects ? 1 : given;
    const Mbarrier* m = mbarrier_at(c, block, offset, who);
    if (!m) return;
    if (arrivals == 0 || arrivals > Mbarrier::kMost) {
      report_mbarrier(c, who, ErrorCode::mbarrier_count, offset, arrivals);
      return;
    }
    if (m->pending < arrivals) {
      // The phase may be over but for copies that are still under way.
      settle_mbarrier(c, block, offset);
      m = mbarrier_at(c, block, offset, who);
      if (!m) return;
    }
    if (c.race) {
      c.race->arrives(block, offset,
                      c.race->arrival_clock(static_cast<std::uint32_t>(lane), !d.relaxed));
    }
    const std::uint64_t token = m->token(), phase = m->phase;
    if (signal(c, block, offset, arrivals, d.drop ? arrivals : 0, d.expects ? given : 0, who) &&
        d.no_complete && mbarrier_at(c, block, offset, who)->phase != phase) {
      report_mbarrier(c, who, ErrorCode::mbarrier_completed, offset, 0);
    }
    if (d.d != kNone) std::memcpy(c.frame + d.d + 8 * lane, &token, sizeof token);
  });
}

void mbarrier_test_wait(const DecodedInstruction& o, Context& c) {
  const AsyncDetail& d = c.code->asyncs[o.f];
  std::uint32_t complete = 0;
  each_mbarrier(o, c, d, [&](int lane, BlockState& block, std::uint32_t offset, const Actor& who) {
    if (!is_own(o, c, block, offset, lane)) return;
    std::uint64_t state = 0;
    if (d.parity)
      state = word_in_lane(c, d.state, lane);
    else
      std::memcpy(&state, c.frame + d.state + 8 * lane, sizeof state);
    if (c.race) c.race->touch_mbarrier(o.index, c, block, offset, lane, false);
    if (!phase_complete(c, block, offset, state, d.parity, who)) return;
    complete |= 1u << lane;
    if (c.race && !d.relaxed) c.race->acquire_phase(offset, static_cast<std::uint32_t>(lane));
  });
  c.sync_read = true;
  set_predicate(c, d.d, complete);
}

void mbarrier_pending_count(const DecodedInstruction& o, Context& c) {
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    std::uint64_t token;
    std::memcpy(&token, c.frame + o.a + 8 * lane, sizeof token);
    const auto pending = static_cast<std::uint32_t>(token >> 20 & Mbarrier::kMost);
    std::memcpy(c.frame + o.d + 4 * lane, &pending, sizeof pending);
  }
}

}  // namespace isa::async_handlers
}  // namespace warpbook::device
