// memcheck, and the counting of accesses: the slow path, for an access that does not repeat the shape of the operation's last one
// (AccessMemo).
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "device/sectors.hpp"
#include "device/simulator/estimate/traffic.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {
namespace {

/// The error of an access to a state space of `size` bytes, if it has one.
std::optional<ErrorCode> wrong_in_space(Space space, std::uint64_t address, std::uint32_t bytes,
                                        std::uint64_t size) {
  if (address + bytes > size || address + bytes < bytes) {
    return space == Space::shared  ? ErrorCode::shared_out_of_bounds
           : space == Space::local ? ErrorCode::local_out_of_bounds
                                   : ErrorCode::wild_access;
  }
  if (address & (bytes - 1)) return ErrorCode::misaligned_access;
  return std::nullopt;
}

/// Whether all accesses are within [0, size) and aligned, as nearly all are; `bytes` is a power of two.
bool all_within(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes,
                std::uint64_t size) {
  std::uint64_t highest = 0, low_bits = 0;
  for (std::uint32_t l = mask; l != 0; l &= l - 1) {
    const std::uint64_t at = address[std::countr_zero(l)];
    highest = std::max(highest, at);
    low_bits |= at;
  }
  return size >= bytes && highest <= size - bytes && (low_bits & (bytes - 1)) == 0;
}

/// Whether a kernel may know an address in `freed`: it freed the allocation itself, or one of its arguments points there. (Pointers in memory
/// are not searched.)
bool may_know(const Context& c, const Allocation& freed) {
  if (freed.kind == AllocationKind::heap) return true;
  for (std::uint32_t at = 0; at + sizeof(Pointer) <= c.parameter_bytes; at += sizeof(Pointer)) {
    Pointer argument = 0;
    std::memcpy(&argument, c.parameters + at, sizeof argument);
    if (argument >= freed.address && argument <= freed.end()) return true;
  }
  return false;
}

std::optional<ErrorCode> wrong_in_memory(const Context& c, std::uint64_t address,
                                         std::uint32_t bytes, AccessKind kind,
                                         const Allocation*& found, std::uint32_t alignment) {
  const AllocationTable& table = *c.observer->table;
  found = table.at(address);
  if (address < kNullBytes) return ErrorCode::null_access;
  const auto outside = [&] {
    const Allocation* near = table.near(address);
    if (!near) return ErrorCode::wild_access;
    // An access far out of bounds may hit the freed memory of another allocation by chance; that is no use after free.
    if (near->freed && (may_know(c, *near) || !table.near_in_use(address)))
      return ErrorCode::use_after_free;
    return kind == AccessKind::load    ? ErrorCode::out_of_bounds_read
           : kind == AccessKind::store ? ErrorCode::out_of_bounds_write
                                       : ErrorCode::out_of_bounds_atomic;
  };
  if (!found || found->freed) return outside();
  if (found->kind == AllocationKind::array) return ErrorCode::array_access;
  if (address + bytes > found->end()) return outside();
  if (address % alignment != 0) return ErrorCode::misaligned_access;
  if (kind == AccessKind::load) return std::nullopt;
  if (found->kind == AllocationKind::constant) return ErrorCode::read_only_write;
  c.observer->wrote(*found);
  return std::nullopt;
}

/// Remembers the shape of an access that had no error in any lane.
void remember(AccessMemo& m, const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes,
              Space space, bool narrow) {
  const std::uint64_t base = address[std::countr_zero(mask)];
  std::uint64_t delta[kLanes] = {};
  m.mask = mask;
  m.low = m.high = 0;
  m.aligned = true;
  bool unit = mask == ~0u, uniform = true;
  for (std::uint32_t l = mask; l != 0; l &= l - 1) {
    const int i = std::countr_zero(l);
    delta[i] = address[i] - base;
    const auto d = static_cast<std::int64_t>(delta[i]);
    m.low = std::min(m.low, d);
    m.high = std::max(m.high, d);
    m.aligned = m.aligned && (delta[i] & (bytes - 1)) == 0;
    unit = unit && d == static_cast<std::int64_t>(bytes) * i;
    uniform = uniform && d == 0;
  }
  m.pattern = unit ? Pattern::unit : uniform ? Pattern::uniform : Pattern::other;
  m.lanes = static_cast<std::uint8_t>(std::popcount(mask));
  m.sectors = {};
  if (space == Space::global) {
    m.sectors[base % kSectorBytes] =
        static_cast<std::uint8_t>(count_sectors(delta, base, mask, bytes));
  }
  if (space == Space::shared) {
    const Wavefronts w = count_wavefronts(address, mask, bytes);
    m.wavefronts = static_cast<std::uint8_t>(std::min<std::uint32_t>(w.taken, 255));
    m.ideal = static_cast<std::uint8_t>(w.ideal);
  }
  for (int i = 0; i < kLanes; ++i) {
    if (narrow)
      m.delta.narrow[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(delta[i]);
    else
      m.delta.wide[static_cast<std::size_t>(i)] = delta[i];
  }
}

}  // namespace

void report_access(const DecodedInstruction& operation, Context& c, ErrorCode code, int lane,
                   Space space, AccessKind kind, std::uint64_t address, std::uint32_t bytes,
                   std::uint64_t limit, std::uint32_t other) {
  LaunchObserver& observer = *c.observer;
  RawFinding finding;
  finding.code = code;
  finding.block = c.block_index;
  finding.thread = c.thread_of(lane);
  finding.instruction = operation.index;
  finding.kind = kind;
  finding.space = space;
  finding.address = address;
  finding.bytes = bytes;
  finding.limit = limit;
  finding.decided = other;
  finding.table = observer.table;
  observer.find(std::move(finding));
}

bool admit_range(const DecodedInstruction& o, Context& c, int lane, Space space, AccessKind kind,
                 std::uint64_t address, std::uint32_t bytes, std::uint32_t alignment,
                 std::uint64_t limit) {
  std::optional<ErrorCode> wrong;
  std::uint64_t where = address;
  if (space == Space::shared) {
    if (address + bytes > limit || address + bytes < bytes) {
      wrong = ErrorCode::shared_out_of_bounds;
      if (address < limit) where = limit;
    } else if (address % alignment != 0) {
      wrong = ErrorCode::misaligned_access;
    }
  } else {
    const Allocation* found = nullptr;
    wrong = wrong_in_memory(c, address, bytes, kind, found, alignment);
    if (found && !found->freed && address + bytes > found->end()) where = found->end();
  }
  if (!wrong) return true;
  // The finding names the first wrong element of a long range, as if it were accessed element by element.
  report_access(o, c, *wrong, lane, space, kind, where, std::min(bytes, alignment), limit);
  return false;
}

std::uint32_t admit(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                    std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes,
                    bool narrow) {
  const bool in_memory = space == Space::global || space == Space::constant;
  const std::uint64_t size = space == Space::shared  ? c.shared_bytes
                             : space == Space::local ? c.local_bytes
                                                     : c.parameter_bytes;
  std::uint32_t good = mask;
  const Allocation* allocation = nullptr;
  bool one = true;
  const std::uint32_t doubtful =
      !in_memory && space != Space::param && all_within(address, mask, bytes, size) ? 0 : mask;
  for (std::uint32_t l = doubtful; l != 0; l &= l - 1) {
    const int i = std::countr_zero(l);
    std::optional<ErrorCode> wrong;
    if (!in_memory) {
      wrong = wrong_in_space(space, address[i], bytes, size);
      if (!wrong && space == Space::param && kind != AccessKind::load)
        wrong = ErrorCode::read_only_write;
    } else if (allocation && address[i] >= allocation->address &&
               address[i] + bytes <= allocation->end() && (address[i] & (bytes - 1)) == 0) {
      continue;  // in the allocation that the lanes before were in
    } else {
      const Allocation* found = nullptr;
      wrong = wrong_in_memory(c, address[i], bytes, kind, found, bytes);
      if (!wrong) {
        one = one && (!allocation || allocation == found);
        allocation = found;
      }
    }
    if (wrong) {
      good &= ~(1u << i);
      report_access(o, c, *wrong, i, space, kind, address[i], bytes, size);
    }
  }
  if (good == 0 || space == Space::param) return good;  // nothing is kept of parameters
  AccessTally& t = c.tallies[o.memo];
  AccessMemo& m = c.memos[o.memo];
  const auto lanes = static_cast<std::uint32_t>(std::popcount(good));
  if (space == Space::local) {
    t.local_requests += 1;
    t.local_lanes += lanes;
    return good;
  }
  // A generic operation may reach several state spaces in turn, whose shapes would replace each other. So it keeps shapes of global memory
  // only, and looks for one only there. Atomic operations keep none, because their lanes go one by one anyway.
  const bool keeps = kind != AccessKind::atomic && good == mask && good == c.mask &&
                     (in_memory ? one : space == Space::shared);
  if (keeps) {
    remember(m, address, good, bytes, space, narrow);
    if (c.race && space != Space::constant)
      c.race->learn_shape(o.memo, address, good, bytes, space);
    // Each lane of a strong read may acquire something, so all of them count.
    if (c.race && kind == AccessKind::load)
      m.readers = c.code->instructions[o.index].strong ? good : two_of_each(address, good);
    if (in_memory) {
      m.begin = allocation->address;
      m.last = allocation->end() - bytes;
    } else {
      m.begin = 0;
      m.last = size - bytes;
    }
  }
  Wavefronts w;
  switch (space) {
    case Space::global:
      t.global_requests += 1;
      t.global_lanes += lanes;
      t.global_sectors += keeps ? m.sectors[address[std::countr_zero(good)] % kSectorBytes]
                                : count_sectors(address, 0, good, bytes);
      break;
    case Space::shared:
      w = keeps ? Wavefronts{m.wavefronts, m.ideal} : count_wavefronts(address, good, bytes);
      t.shared_requests += 1;
      t.shared_lanes += lanes;
      t.shared_wavefronts += w.taken;
      t.shared_ideal += w.ideal;
      break;
    default: t.constant_requests += 1; break;
  }
  if (kind == AccessKind::atomic) {
    t.atomics += lanes;
    // For accesses of four bytes, lanes that share a word share their address.
    t.collisions +=
        space == Space::shared && bytes == 4 ? lanes - w.words : count_collisions(address, good);
  }
  return good;
}

void observe(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
             std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes) {
  if (mask == 0) return;
  LaunchObserver& r = *c.observer;
  if (r.sampling)
    r.traffic->access(o.index, c.block_index, c.warp_index, address, mask, space, kind, bytes);
  if (r.tracing) {
    ++r.requests;
    Access a;
    a.instruction = o.index;
    a.block = c.block_index;
    a.request = r.requests;
    a.bytes = static_cast<std::uint8_t>(bytes);
    a.space = space;
    a.kind = kind;
    constexpr std::uint32_t kMost = std::numeric_limits<decltype(a.barriers)>::max();
    a.barriers = static_cast<decltype(a.barriers)>(std::min(c.block->barriers_passed, kMost));
    std::size_t room = r.trace_limit - r.trace.size();
    for (std::uint32_t l = mask; l != 0; l &= l - 1, --room) {
      if (room == 0) {
        r.trace_cut = true;
        r.tracing = false;
        c.observed = !r.watched.empty() || r.sampling;
        break;
      }
      const int i = std::countr_zero(l);
      a.address = address[i];
      a.thread = c.warp_index * kLanes + static_cast<std::uint32_t>(i);
      r.trace.push_back(a);
    }
  }
  if (kind == AccessKind::load || space != Space::global) return;
  for (WatchedWrites& w : r.watched) {
    for (std::uint32_t l = mask; l != 0; l &= l - 1) {
      const int i = std::countr_zero(l);
      if (address[i] < w.begin || address[i] + bytes > w.end) continue;
      const std::uint64_t first = (address[i] - w.begin) / w.element,
                          last = (address[i] + bytes - 1 - w.begin) / w.element;
      for (std::uint64_t e = first; e <= last && e < w.writes.size(); ++e) {
        ++w.writes[e];
        w.writer[e] = static_cast<std::int64_t>(
            std::uint64_t{c.block_index} * c.launch->block_threads + c.thread_of(i));
      }
    }
  }
}

void report_undefined(std::uint32_t instruction, Context& c, std::uint32_t lanes) {
  LaunchObserver& observer = *c.observer;
  for (std::uint32_t l = lanes; l != 0; l &= l - 1) {
    const int i = std::countr_zero(l);
    const UndefinedRead& read = observer.undefined_reads[static_cast<std::size_t>(i)];
    RawFinding finding;
    finding.code = read.instruction == kNone ? ErrorCode::uninitialised_register
                   : read.bytes == 0         ? ErrorCode::missing_lane
                   : read.writer == kNone    ? ErrorCode::uninitialised_read
                                             : ErrorCode::async_not_waited;
    finding.block = c.block_index;
    finding.thread = c.thread_of(i);
    finding.instruction = read.instruction == kNone ? instruction : read.instruction;
    finding.decided = read.writer == kNone ? instruction : read.writer;
    finding.space = read.space;
    finding.address = read.address;
    finding.bytes = read.bytes;
    finding.table = observer.table;
    observer.find(std::move(finding));
  }
}

}  // namespace warpbook::device
