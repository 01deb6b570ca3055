#include "device/simulator/execute/common_handlers.hpp"

#include <bit>
#include <cstring>

#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/cluster.hpp"
#include "device/simulator/state/context.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device::isa::plain_handlers {
namespace {

using ptx::Word;

std::uint32_t component(const Dim3& d, std::uint32_t dimension) {
  return dimension == 0 ? d.x : dimension == 1 ? d.y : dimension == 2 ? d.z : 0;
}

/// Special registers that are the same in every lane (PTX ISA 9.0, 10).
std::uint64_t uniform_value(Word word, std::uint32_t dimension, Context& c) {
  const LaunchFacts& launch = *c.launch;
  switch (word) {
    case Word::sr_ntid: return component(launch.block, dimension);
    case Word::sr_ctaid: return component(c.block_id, dimension);
    case Word::sr_nctaid: return component(launch.grid, dimension);
    case Word::sr_warpid: return c.warp_index;
    case Word::sr_nwarpid: return launch.max_warps;
    case Word::sr_smid: return c.multiprocessor;
    case Word::sr_nsmid: return launch.multiprocessors;
    case Word::sr_gridid: return launch.grid_id;
    case Word::sr_clock:
    case Word::sr_clock64:
      c.sync_read = true;
      ++c.clock_reads;
      return c.clock;
    case Word::sr_clock_hi:
      c.sync_read = true;
      ++c.clock_reads;
      return c.clock >> 32;
    // The timer starts at 0 and advances as the clock does, with one instruction per nanosecond.
    case Word::sr_globaltimer:
    case Word::sr_globaltimer_lo:
      c.sync_read = true;
      ++c.clock_reads;
      return c.clock;
    case Word::sr_globaltimer_hi:
      c.sync_read = true;
      ++c.clock_reads;
      return c.clock >> 32;
    case Word::sr_dynamic_smem_size: return launch.dynamic_shared;
    case Word::sr_total_smem_size: return launch.shared_bytes;
    case Word::sr_aggr_smem_size: return launch.shared_bytes + launch.reserved_shared;
    case Word::sr_reserved_smem_offset_begin: return launch.shared_bytes;
    case Word::sr_reserved_smem_offset_end: return launch.shared_bytes + launch.reserved_shared;
    case Word::sr_reserved_smem_offset_cap: return launch.reserved_shared;
    case Word::sr_reserved_smem_offset_0: return launch.shared_bytes;
    case Word::sr_reserved_smem_offset_1: return launch.shared_bytes + launch.reserved_shared / 2;
    case Word::sr_envreg1: return launch.workspace >> 32;
    case Word::sr_envreg2: return launch.workspace & 0xffffffff;
    case Word::sr_nclusterid:
      return dimension < 3
                 ? component(launch.grid, dimension) / component(launch.cluster, dimension)
                 : 0;
    case Word::sr_clusterid:
      return dimension < 3 ? component(c.block_id, dimension) / component(launch.cluster, dimension)
                           : 0;
    case Word::sr_cluster_nctaid: return component(launch.cluster, dimension);
    case Word::sr_cluster_ctaid:
      return dimension < 3 ? component(c.block_id, dimension) % component(launch.cluster, dimension)
                           : 0;
    case Word::sr_cluster_ctarank: return cluster_rank(c);
    case Word::sr_cluster_nctarank: return launch.cluster.count();
    case Word::sr_is_explicit_cluster: return launch.explicit_cluster;
    // There are no performance monitors here, and no launch belongs to a graph.
    default: return 0;  // %pm, %current_graph_exec, other %envreg
  }
}

template <class T>
void put(const DecodedInstruction& o, Context& c, const std::uint64_t* value) {
  T* d = reinterpret_cast<T*>(c.frame + o.d);
  for (int i = 0; i < kLanes; ++i) {
    if (c.mask >> i & 1) d[i] = static_cast<T>(value[i]);
  }
}

void put_bytes(const DecodedInstruction& o, Context& c, const std::uint64_t* value) {
  switch (o.bytes) {
    case 2: put<std::uint16_t>(o, c, value); break;
    case 4: put<std::uint32_t>(o, c, value); break;
    case 8: put<std::uint64_t>(o, c, value); break;
    default: break;
  }
}

/// An instruction behind a guard runs for the lanes of `mask`.
void count_guarded(std::uint32_t instruction, std::uint32_t mask, Context& c) {
  if (mask == 0) return;
  c.observer->guard_lanes[instruction] += static_cast<std::uint32_t>(std::popcount(mask));
  c.warp->count(mask, 1);
}

std::uint32_t lanes_below(int lane) { return (1u << lane) - 1; }

}  // namespace

void guarded(const DecodedInstruction& o, Context& c) {
  std::uint32_t guard;
  std::memcpy(&guard, c.frame + o.guard, sizeof guard);
  if (o.guard_negated) guard = ~guard;
  const std::uint32_t all = c.mask, mask = all & guard;
  if (!o.guarded.hidden) count_guarded(o.index, mask, c);
  if (mask == 0) return;
  const DecodedInstruction& inner =
      *reinterpret_cast<const DecodedInstruction*>(static_cast<std::intptr_t>(o.immediate));
  c.mask = mask;
  (mask == c.frame_lanes ? inner.full : inner.masked)(inner, c);
  c.mask = all;
}

void nothing(const DecodedInstruction&, Context&) {}

void fence(const DecodedInstruction& o, Context& c) {
  if (c.race) race_fence(o, c);
}

bool has_special(Word word) {
  switch (word) {
    case Word::sr_tid:
    case Word::sr_laneid:
    case Word::sr_lanemask_eq:
    case Word::sr_lanemask_lt:
    case Word::sr_lanemask_le:
    case Word::sr_lanemask_gt:
    case Word::sr_lanemask_ge:
    case Word::sr_ntid:
    case Word::sr_ctaid:
    case Word::sr_nctaid:
    case Word::sr_warpid:
    case Word::sr_nwarpid:
    case Word::sr_smid:
    case Word::sr_nsmid:
    case Word::sr_gridid:
    case Word::sr_clock:
    case Word::sr_clock64:
    case Word::sr_clock_hi:
    case Word::sr_globaltimer:
    case Word::sr_globaltimer_lo:
    case Word::sr_globaltimer_hi:
    case Word::sr_dynamic_smem_size:
    case Word::sr_total_smem_size:
    case Word::sr_aggr_smem_size:
    case Word::sr_reserved_smem_offset_begin:
    case Word::sr_reserved_smem_offset_end:
    case Word::sr_reserved_smem_offset_cap:
    case Word::sr_reserved_smem_offset_0:
    case Word::sr_reserved_smem_offset_1:
    case Word::sr_nclusterid:
    case Word::sr_clusterid:
    case Word::sr_cluster_nctaid:
    case Word::sr_cluster_nctarank:
    case Word::sr_cluster_ctaid:
    case Word::sr_cluster_ctarank:
    case Word::sr_is_explicit_cluster:
    case Word::sr_current_graph_exec: return true;
    default: {
      const std::string_view text = ptx::text_of(word);
      return text.starts_with("%envreg") || text.starts_with("%pm");
    }
  }
}

void special(const DecodedInstruction& o, Context& c) {
  const auto word = static_cast<Word>(o.c);
  std::uint64_t value[kLanes];
  if (word == Word::sr_tid && o.b < 3) {
    if (o.bytes == 4 && c.mask == c.frame_lanes) {
      std::memcpy(c.frame + o.d, c.tid[o.b], sizeof(std::uint32_t) * kLanes);
      return;
    }
    for (int i = 0; i < kLanes; ++i) value[i] = c.tid[o.b][i];
    put_bytes(o, c, value);
    return;
  }
  bool varies = true;
  for (int i = 0; i < kLanes; ++i) {
    switch (word) {
      case Word::sr_laneid: value[i] = static_cast<std::uint64_t>(i); break;
      case Word::sr_lanemask_eq: value[i] = 1u << i; break;
      case Word::sr_lanemask_lt: value[i] = lanes_below(i); break;
      case Word::sr_lanemask_le: value[i] = lanes_below(i) | 1u << i; break;
      case Word::sr_lanemask_gt: value[i] = ~(lanes_below(i) | 1u << i); break;
      case Word::sr_lanemask_ge: value[i] = ~lanes_below(i); break;
      default: varies = false;
    }
    if (!varies) break;
  }
  if (!varies) {
    const std::uint64_t same = word == Word::sr_tid ? 0 : uniform_value(word, o.b, c);
    if (o.bytes == 4 && c.mask == c.frame_lanes) {
      auto* d = reinterpret_cast<std::uint32_t*>(c.frame + o.d);
      for (int i = 0; i < kLanes; ++i) d[i] = static_cast<std::uint32_t>(same);
      return;
    }
    for (auto& v : value) v = same;
  }
  put_bytes(o, c, value);
}

void special_predicate(const DecodedInstruction& o, Context& c) {
  const bool holds = uniform_value(static_cast<Word>(o.c), 0, c) != 0;
  std::uint32_t d;
  std::memcpy(&d, c.frame + o.d, sizeof d);
  d = (d & ~c.mask) | (holds ? c.mask : 0);
  std::memcpy(c.frame + o.d, &d, sizeof d);
}

void predicate_logic(const DecodedInstruction& o, Context& c) {
  const auto operand = [&](std::uint32_t row, bool negated) {
    std::uint32_t value;
    std::memcpy(&value, c.frame + row, sizeof value);
    return negated ? ~value : value;
  };
  const std::uint32_t a = operand(o.a, o.predicate.a_negated);
  const std::uint32_t b = operand(o.b, o.predicate.b_negated);
  const std::uint32_t result = o.predicate.logic == PredicateLogic::and_  ? a & b
                               : o.predicate.logic == PredicateLogic::or_ ? a | b
                                                                          : a ^ b;
  std::uint32_t d;
  std::memcpy(&d, c.frame + o.d, sizeof d);
  d = (d & ~c.mask) | (result & c.mask);
  std::memcpy(c.frame + o.d, &d, sizeof d);
}

namespace {

/// Calls `copy(place, local)` for each word of a parameter and each lane: both are interleaved by words across the lanes.
template <class Copy>
void for_each_word(const DecodedInstruction& o, Context& c, Copy&& copy) {
  const std::uint64_t first = (static_cast<std::uint64_t>(o.immediate) + c.local_base) / 4;
  for (std::uint64_t word = 0; word < o.c; ++word) {
    for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
      const std::uint64_t lane = static_cast<std::uint64_t>(std::countr_zero(m));
      copy(c.frame + o.a + 4 * (word * kLanes + lane), (first + word) * kLanes + lane);
    }
  }
}

}  // namespace

void parameter_to_local(const DecodedInstruction& o, Context& c) {
  for_each_word(o, c, [&](const std::byte* place, std::uint64_t at) {
    std::memcpy(c.local + 4 * at, place, 4);
    c.local_valid[at] = 0xf;
  });
}

void local_to_parameter(const DecodedInstruction& o, Context& c) {
  for_each_word(
      o, c, [&](std::byte* place, std::uint64_t at) { std::memcpy(place, c.local + 4 * at, 4); });
}

void local_address(const DecodedInstruction& o, Context& c) {
  std::uint64_t value[kLanes];
  for (auto& v : value) v = static_cast<std::uint64_t>(o.immediate) + c.local_base;
  put_bytes(o, c, value);
}

void in_window(const DecodedInstruction& o, Context& c) {
  const auto asked = static_cast<Pointer>(o.immediate);
  std::uint32_t inside = 0;
  for (int i = 0; i < kLanes; ++i) {
    const std::uint64_t a = o.bytes == 4 ? reinterpret_cast<const std::uint32_t*>(c.frame + o.a)[i]
                                         : reinterpret_cast<const std::uint64_t*>(c.frame + o.a)[i];
    const Pointer window = a / kWindowBytes * kWindowBytes;
    bool is = window == asked;
    if (asked == kGlobalBase || asked == 0) {
      // Constant memory is among the global allocations.
      const Allocation* at = window >= kGlobalBase ? c.observer->table->at(a) : nullptr;
      const bool constant = at && at->kind == AllocationKind::constant;
      const bool elsewhere =
          window != kSharedWindow && window != kLocalWindow && window != kParamWindow;
      is = asked == 0 ? constant : elsewhere && !constant;
    }
    // shared::cta is the own block's part of shared::cluster.
    const std::uint64_t rank = a % kWindowBytes >> kRankShift;
    if (asked == kSharedWindow && !o.window.whole_cluster && rank != 0 &&
        rank != cluster_rank(c) + 1)
      is = false;
    if (is && (c.mask >> i & 1)) inside |= 1u << i;
  }
  std::uint32_t d;
  std::memcpy(&d, c.frame + o.d, sizeof d);
  d = (d & ~c.mask) | (inside & c.mask);
  std::memcpy(c.frame + o.d, &d, sizeof d);
}

void synchronising_read(const DecodedInstruction&, Context& c) { c.sync_read = true; }

void active_mask(const DecodedInstruction& o, Context& c) {
  auto* d = reinterpret_cast<std::uint32_t*>(c.frame + o.d);
  for (int i = 0; i < kLanes; ++i) {
    if (c.mask >> i & 1) d[i] = c.mask;
  }
}

}  // namespace warpbook::device::isa::plain_handlers
