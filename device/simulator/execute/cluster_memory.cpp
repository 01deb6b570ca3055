// Addresses in the shared memory of a cluster: mapa, getctarank and shared::cluster (PTX ISA 9.0, 9.7.9.23 and 9.7.9.24).
#include <algorithm>
#include <bit>
#include <cstring>

#include "device/simulator/execute/async.hpp"
#include "device/simulator/execute/common_handlers.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/cluster.hpp"

namespace warpbook::device {

SharedPlace shared_place(const DecodedInstruction& o, Context& c, const isa::AsyncAddress& operand,
                         std::uint64_t address, int lane, AccessKind kind, std::uint32_t bytes,
                         std::uint32_t alignment) {
  const auto refuse = [&](ErrorCode code, std::uint64_t limit) {
    report_access(o, c, code, lane, Space::shared, kind, address, bytes, limit);
    return SharedPlace{};
  };
  std::uint64_t at = address;
  if (operand.space == isa::StateSpace::generic && !operand.cluster) {
    if (address / kWindowBytes * kWindowBytes != kSharedWindow)
      return refuse(ErrorCode::not_shared_memory, 0);
    at = address % kWindowBytes;
  }
  BlockState* block = c.block;
  if (const std::uint64_t rank = at >> kRankShift; rank != 0 && at < kWindowBytes) {
    block = block_of_rank(c, rank - 1);
    if (!block) return refuse(ErrorCode::no_such_rank, c.launch->cluster.count());
    at &= kOffsetMask;
  }
  if (block != c.block && block->live_warps == 0)
    return refuse(ErrorCode::block_has_ended, block->index);
  if (!admit_range(o, c, lane, Space::shared, kind, at, bytes, alignment, c.shared_bytes))
    return {};
  return {block, static_cast<std::uint32_t>(at)};
}

namespace isa::async_handlers {
namespace {

std::uint64_t value_in_lane(const Context& c, std::uint32_t row, std::uint32_t bytes, int lane) {
  std::uint64_t v = 0;
  std::memcpy(&v, c.frame + row + bytes * static_cast<std::uint32_t>(lane), bytes);
  return v;
}

}  // namespace

void map_address(const DecodedInstruction& o, Context& c) {
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t address = value_in_lane(c, o.a, o.bytes, lane);
    const std::uint64_t rank = value_in_lane(c, o.b, 4, lane);
    if (o.cluster_address.generic && address / kWindowBytes * kWindowBytes != kSharedWindow) {
      report_access(o, c, ErrorCode::not_shared_memory, lane, Space::shared, AccessKind::load,
                    address, 1, 0);
    }
    // A rank that is far too large becomes one that is just too large, so that the address stays in the window.
    const std::uint64_t mapped = (address & kOffsetMask) |
                                 (std::min<std::uint64_t>(rank, 254) + 1) << kRankShift |
                                 (o.cluster_address.generic ? kSharedWindow : 0);
    std::memcpy(c.frame + o.d + o.bytes * static_cast<std::uint32_t>(lane), &mapped, o.bytes);
  }
}

void rank_of_address(const DecodedInstruction& o, Context& c) {
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t address = value_in_lane(c, o.a, o.bytes, lane);
    const std::uint64_t named = address % kWindowBytes >> kRankShift;
    const std::uint32_t rank = named == 0 ? cluster_rank(c) : static_cast<std::uint32_t>(named - 1);
    std::memcpy(c.frame + o.d + 4 * lane, &rank, sizeof rank);
  }
}

void cluster_window(const DecodedInstruction& o, Context& c) {
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    std::uint64_t at =
        value_in_lane(c, o.a, o.bytes, lane) + static_cast<std::uint64_t>(o.immediate);
    if (o.bytes == 4) at &= 0xffffffff;
    // An address outside of the window must not become one of global memory.
    const std::uint64_t generic = kSharedWindow + std::min(at, kWindowBytes - 1);
    std::memcpy(c.frame + o.d + 8 * lane, &generic, sizeof generic);
  }
}

}  // namespace isa::async_handlers
}  // namespace warpbook::device
