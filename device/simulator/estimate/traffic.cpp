#include "device/simulator/estimate/traffic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

#include "device/simulator/state/access.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint32_t kSampledWarps = 1024;     // about so many run side by side in the sample
constexpr std::uint64_t kKeptTouches = 1u << 21;  // of all warps, about: 16 MB
constexpr std::uint64_t kLeastOfOperation = 8, kMostOfOperation = 2048, kLeastOfWarp = 256;
constexpr std::uint32_t kOperations =
    1024;  // memory operations with a limit of their own; more share them
constexpr std::uint32_t kMostWarps = 64;  // more than any block has
constexpr std::size_t kAtomicBits = 16;
constexpr std::uint64_t kBankBytes = 4;

/// The atomic operations that ptxas aggregates over a warp: where lanes add to one address it may elect a lane that adds the sum of all. Its
/// code then holds a vote, once for all such operations of a basic block.
std::vector<bool> aggregated_atomics(const isa::Code& code, const MachineCode* machine) {
  constexpr std::array<std::uint16_t, 2> kVotes{0x006, 0x086};  // VOTE, VOTEU
  std::vector<bool> aggregated(code.instructions.size());
  if (!machine) return aggregated;
  std::unordered_set<std::uint32_t> voting;  // lines of PTX
  for (const MachineInstruction& i : machine->instructions) {
    if (std::ranges::find(kVotes, i.opcode) != kVotes.end()) voting.insert(i.ptx_line);
  }
  for (const BasicBlock& block : code.blocks) {
    bool votes = false;
    for (std::uint32_t k = block.first_instruction;
         k < block.first_instruction + block.instructions; ++k) {
      const isa::CodeInstruction& info = code.instructions[k];
      votes |= info.atomic && voting.contains(info.source->ptx_line);
      aggregated[k] = info.atomic && votes;
    }
  }
  return aggregated;
}

using LaneAddresses = std::array<std::uint64_t, kLanes>;

LaneAddresses moved(const std::uint64_t* address, std::uint32_t mask, std::uint64_t offset) {
  LaneAddresses moved{};
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(m));
    moved[i] = address[i] + offset;
  }
  return moved;
}

void count_sectors(TrafficShape& shape, std::uint32_t lines) {
  shape.lines = lines;
  shape.sectors = 0;
  for (std::uint32_t k = 0; k < lines; ++k)
    shape.sectors += static_cast<std::uint32_t>(std::popcount(shape.touches[k] & 0xf));
}

/// TrafficShape::reach. Where no lane begins more than a sector behind the one before it, each begins in its sector or the next one.
std::uint64_t reach_of(const TrafficShape& shape) {
  std::uint64_t before = 0;
  for (std::uint32_t m = shape.access.mask; m != 0; m &= m - 1) {
    const std::uint64_t now = shape.distance[static_cast<std::size_t>(std::countr_zero(m))];
    if (now - before > kSectorBytes) return 0;  // also where it lies before it
    before = now;
  }
  return before + shape.access.bytes;
}

/// Fills in what an access to global memory touches that leaves no sector out from `first` on.
void touch_range(TrafficShape& shape, std::uint64_t first) {
  std::uint32_t count = 0;
  each_line(sectors_of(first, shape.reach), [&](std::uint64_t line, std::uint32_t of_line) {
    shape.touches[count++] = line << 4 | of_line;
  });
  count_sectors(shape, count);
}

/// Fills in what an access to global memory touches, in the order of its lanes. `offset`: from their addresses to what the hardware reads.
void touch_lines(TrafficShape& shape, const std::uint64_t* address, std::uint64_t offset) {
  std::uint32_t count = 0;
  SectorRange before{1, 0};  // none
  for (std::uint32_t m = shape.access.mask; m != 0; m &= m - 1) {
    const SectorRange sectors =
        sectors_of(address[std::countr_zero(m)] + offset, shape.access.bytes);
    // Neighbouring lanes mostly share a sector.
    if (sectors.first == before.first && sectors.last == before.last) continue;
    before = sectors;
    each_line(sectors, [&](std::uint64_t line, std::uint32_t of_line) {
      std::uint32_t k = count;
      while (k > 0 && shape.touches[k - 1] >> 4 != line) --k;
      if (k > 0)
        shape.touches[k - 1] |= of_line;
      else if (count < shape.touches.size())
        shape.touches[count++] = line << 4 | of_line;
    });
  }
  count_sectors(shape, count);
}

bool same_address(const std::uint64_t* address, std::uint32_t mask) {
  const std::uint64_t first = address[std::countr_zero(mask)];
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    if (address[std::countr_zero(m)] != first) return false;
  }
  return true;
}

}  // namespace

TrafficPlan plan_traffic(std::uint64_t blocks, std::uint64_t run, std::uint32_t multiprocessors,
                         std::uint32_t resident, std::uint32_t warps) {
  TrafficPlan plan;
  multiprocessors = std::max(1u, multiprocessors);
  warps = std::max(1u, warps);
  // A small grid gives each multiprocessor fewer blocks than it could hold.
  const std::uint64_t on_each = std::clamp<std::uint64_t>(
      (blocks + multiprocessors - 1) / multiprocessors, 1, std::max(1u, resident));
  const std::uint64_t enough = std::max<std::uint64_t>(4, kSampledWarps / (on_each * warps)),
                      there = std::max<std::uint64_t>(1, run / on_each);
  plan.multiprocessors =
      static_cast<std::uint32_t>(std::min<std::uint64_t>({enough, there, multiprocessors}));
  plan.blocks = std::min(run, on_each * plan.multiprocessors);
  if (run == blocks) plan.first = (blocks - plan.blocks) / 2;
  plan.warps = plan.blocks * warps;
  return plan;
}

InstructionTraffic& InstructionTraffic::operator+=(const InstructionTraffic& o) {
  global_requests += o.global_requests;
  global_lines += o.global_lines;
  global_sectors += o.global_sectors;
  global_bytes += o.global_bytes;
  shared_requests += o.shared_requests;
  shared_wavefronts += o.shared_wavefronts;
  local_requests += o.local_requests;
  constant_requests += o.constant_requests;
  constant_words += o.constant_words;
  atomic_lanes += o.atomic_lanes;
  shared_retries += o.shared_retries;
  return *this;
}

AtomicPasses atomic_passes(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes) {
  constexpr std::uint32_t kBanks = 32;
  std::array<std::uint32_t, kBanks> in_bank{};
  AtomicPasses result;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = offset[std::countr_zero(m)];
    for (std::uint64_t w = at / 4; w <= (at + bytes - 1) / 4; ++w)
      result.passes = std::max(result.passes, ++in_bank[w % kBanks]);
    std::uint32_t alike = 0;
    for (std::uint32_t other = m; other != 0; other &= other - 1)
      alike += offset[std::countr_zero(other)] == at ? 1 : 0;
    result.retries = std::max(result.retries, alike);
  }
  return result;
}

std::vector<AtomicSector> atomic_sectors(const std::uint64_t* address, std::uint32_t mask) {
  std::vector<AtomicSector> sectors;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = address[std::countr_zero(m)], number = at / kSectorBytes;
    std::uint32_t alike = 0;
    for (std::uint32_t other = m; other != 0; other &= other - 1)
      alike += address[std::countr_zero(other)] == at ? 1 : 0;
    auto sector = std::ranges::find(sectors, number, &AtomicSector::number);
    if (sector == sectors.end()) sector = sectors.insert(sectors.end(), {number, 0});
    sector->turns = std::max(sector->turns, alike);
  }
  return sectors;
}

std::uint32_t distinct_addresses(const std::uint64_t* address, std::uint32_t mask) {
  std::uint32_t count = 0;
  while (mask != 0) {
    const std::uint64_t first = address[std::countr_zero(mask)];
    ++count;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
      const int i = std::countr_zero(m);
      if (address[i] == first) mask &= ~(1u << i);
    }
  }
  return count;
}

TrafficSampler::TrafficSampler(TrafficPlan plan, const isa::Code& code, const MachineCode* machine)
    : plan_(plan),
      code_(code),
      instructions_(code.instructions.size()),
      shapes_(std::max(1u, code.memos)),
      aggregated_(aggregated_atomics(code, machine)),
      intervals_(code) {
  const std::uint64_t warps = std::max<std::uint64_t>(1, plan.warps);
  const std::uint64_t operations = std::clamp(code.memos, 1u, kOperations);
  kept_of_operation_ =
      std::clamp(kKeptTouches / warps / operations, kLeastOfOperation, kMostOfOperation);
  kept_of_warp_ = std::max(kLeastOfWarp, 4 * kKeptTouches / warps);
}

WarpTraffic& TrafficSampler::warp_of(std::uint64_t block, std::uint32_t warp) {
  const std::uint64_t key = block * kMostWarps + warp;
  if (key != last_key_) {
    const auto [at, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(warps_.size()));
    if (is_new) {
      // Warps of a kernel mostly ask for as much as the one before.
      const std::size_t requests = warps_.empty() ? 0 : warps_.back().requests.size(),
                        touches = warps_.empty() ? 0 : warps_.back().touches.size();
      WarpTraffic& w = warps_.emplace_back();
      w.requests.reserve(requests);
      w.touches.reserve(touches);
      w.block = block;
      w.warp = warp;
      w.kept.resize(std::clamp(code_.memos, 1u, kOperations));
    }
    last_key_ = key;
    last_warp_ = at->second;
  }
  return warps_[last_warp_];
}

bool TrafficShape::moves(const Access& now, const std::uint64_t* address) const {
  if (!(now == access)) return false;
  const std::uint64_t first = address[std::countr_zero(access.mask)];
  std::uint64_t difference = 0;
  if (access.mask == ~0u) {
    for (std::size_t i = 0; i < kLanes; ++i) difference |= (address[i] - first) ^ distance[i];
  } else {
    for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(m));
      difference |= (address[i] - first) ^ distance[i];
    }
  }
  return difference == 0;
}

void TrafficShape::learn(const Access& now, const std::uint64_t* address) {
  access = now;
  base = address[std::countr_zero(access.mask)];
  for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(m));
    distance[i] = address[i] - base;
  }
}

void TrafficSampler::access(std::uint32_t instruction, std::uint64_t block, std::uint32_t warp,
                            const std::uint64_t* address, std::uint32_t mask, Space space,
                            AccessKind kind, std::uint32_t bytes) {
  const isa::CodeInstruction& info = code_.instructions[instruction];
  if (mask == 0) return;
  std::uint64_t offset = 0;
  if (kind != AccessKind::atomic) {
    if (info.issued_with != instruction) return;
    offset = static_cast<std::uint64_t>(std::int64_t{info.issued_offset});
    if (info.issued_bytes != 0) bytes = info.issued_bytes;
  }
  InstructionTraffic& t = instructions_[instruction];
  const bool one_lane = aggregated_[instruction] && same_address(address, mask);
  if (kind == AccessKind::atomic) t.atomic_lanes += static_cast<std::uint32_t>(std::popcount(mask));
  TrafficShape& shape = shapes_[info.memo % shapes_.size()];
  const TrafficShape::Access now{instruction, mask, space, bytes};
  const std::uint64_t first = address[std::countr_zero(mask)];
  if (space == Space::shared) {
    ++t.shared_requests;
    if (kind != AccessKind::atomic) {
      // To move by a word turns the banks round, which changes no number of passes.
      if ((first - shape.base) % kBankBytes != 0 || !shape.moves(now, address)) {
        shape.learn(now, address);
        // Lanes that access one word share a pass, also where a wide access is split into quarters.
        shape.passes = count_bank_words(moved(address, mask, offset).data(), mask, bytes).fullest;
      }
      t.shared_wavefronts += shape.passes;
    } else if (one_lane) {
      ++t.shared_wavefronts;
    } else {
      const AtomicPasses all = atomic_passes(address, mask, bytes);
      t.shared_wavefronts += all.passes;
      t.shared_retries += all.retries;
    }
    return;
  }
  if (space == Space::local) {
    ++t.local_requests;
    return;
  }
  if (space == Space::constant) {
    const std::uint32_t words = distinct_addresses(address, mask);
    ++t.constant_requests;
    if (words > 1) t.constant_words += words;
    return;
  }
  if (space != Space::global) return;

  const bool moves = shape.moves(now, address), by_lines = (first - shape.base) % kLineBytes == 0;
  if (moves && !by_lines && shape.reach != 0) {
    shape.base = first;
    touch_range(shape, first + offset);
  } else if (!moves || !by_lines) {
    shape.learn(now, address);
    shape.reach = reach_of(shape);
    touch_lines(shape, address, offset);
  }
  if (kind == AccessKind::atomic) count_atomics(address, one_lane ? mask & -mask : mask);
  ++t.global_requests;
  t.global_lines += shape.lines;
  t.global_sectors += shape.sectors;
  t.global_bytes += std::uint64_t{static_cast<std::uint32_t>(std::popcount(mask))} * bytes;
  keep(shape, first - shape.base, block, warp, kind);
}

void TrafficSampler::keep(const TrafficShape& shape, std::uint64_t further, std::uint64_t block,
                          std::uint32_t warp, AccessKind kind) {
  const std::uint32_t instruction = shape.access.instruction;
  WarpTraffic& w = warp_of(block, warp);
  std::uint32_t& kept = w.kept[code_.instructions[instruction].memo % w.kept.size()];
  if (kept >= kept_of_operation_ || w.touches.size() >= kept_of_warp_) return;
  kept += shape.lines;
  w.requests.push_back({instruction, static_cast<std::uint32_t>(w.touches.size()),
                        static_cast<std::uint8_t>(shape.lines), kind});
  // It may be backwards.
  const std::int64_t lines = static_cast<std::int64_t>(further) / std::int64_t{kLineBytes};
  for (std::uint32_t k = 0; k < shape.lines; ++k)
    w.touches.push_back(shape.touches[k] + 16 * static_cast<std::uint64_t>(lines));
}

/// Counts by a hash, so that no kernel can make the host allocate more. Two lines may then share a count, which matters little where one
/// of them has many operations.
void TrafficSampler::count_atomics(const std::uint64_t* address, std::uint32_t mask) {
  if (atomic_turns_.empty()) atomic_turns_.resize(std::size_t{1} << kAtomicBits);
  for (const AtomicSector& s : atomic_sectors(address, mask)) {
    const std::uint64_t line = s.number * kSectorBytes / kLineBytes;
    atomic_turns_[line * 0x9e3779b97f4a7c15u >> (64 - kAtomicBits)] += s.turns;
  }
}

Traffic merge_traffic(const std::vector<TrafficSampler*>& samplers) {
  Traffic all;
  std::vector<std::uint64_t> turns;  // empty as long as there was no atomic operation
  for (TrafficSampler* s : samplers) {
    all.plan = s->plan();
    all.instructions.resize(s->instructions().size());
    for (std::size_t i = 0; i < all.instructions.size(); ++i)
      all.instructions[i] += s->instructions()[i];
    turns.resize(std::max(turns.size(), s->atomic_turns().size()));
    for (std::size_t i = 0; i < s->atomic_turns().size(); ++i) turns[i] += s->atomic_turns()[i];
    for (WarpTraffic& w : s->take_warps()) all.warps.push_back(std::move(w));
    for (const auto& [barrier, executions] : s->intervals().intervals())
      all.intervals[barrier] += executions;
  }
  if (!turns.empty()) all.most_atomic_turns = *std::ranges::max_element(turns);
  std::ranges::sort(all.warps, [](const WarpTraffic& a, const WarpTraffic& b) {
    return std::pair(a.block, a.warp) < std::pair(b.block, b.warp);
  });
  return all;
}

}  // namespace warpbook::device
