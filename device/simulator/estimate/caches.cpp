#include "device/simulator/estimate/caches.hpp"

#include <algorithm>
#include <bit>

namespace warpbook::device {
namespace {

enum Level : std::uint8_t { kFromL1, kFromL2, kFromDram };

/// Counts the runs of neighbouring lines that DRAM moves in a round, since it pays for turning to another place once per run. A part of a
/// line counts as that part of a run, because its other sectors are requested soon after and L2 gathers them.
class RunCounter {
 public:
  void add(std::uint64_t line, std::uint8_t sectors) {
    lines_.push_back(line << 4 | sectors);
    sectors_ += static_cast<std::uint32_t>(std::popcount(sectors));
  }
  void end_round() {
    std::ranges::sort(lines_);
    double run = 0;  // sectors of the present run
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      run += std::popcount(lines_[k] & 0xf);
      if (k + 1 < lines_.size() && (lines_[k + 1] >> 4) - (lines_[k] >> 4) <= 1) continue;
      runs_ += std::min(1.0, run * kSectorBytes / kLineBytes);
      run = 0;
    }
    lines_.clear();
  }
  [[nodiscard]] double per_sector() const {
    return sectors_ == 0 ? 0 : runs_ / static_cast<double>(sectors_);
  }

 private:
  /// Numbers times 16, with their sectors in the low four bits.
  std::vector<std::uint64_t> lines_;
  double runs_ = 0;
  std::uint64_t sectors_ = 0;
};

}  // namespace

SectoredCache::SectoredCache(std::uint64_t bytes)
    : capacity_(std::max<std::uint64_t>(1, bytes / kLineBytes)) {}

void SectoredCache::unlink(std::uint32_t at) {
  Line& l = lines_[at];
  (l.newer == kNoLine ? newest_ : lines_[l.newer].older) = l.older;
  (l.older == kNoLine ? oldest_ : lines_[l.older].newer) = l.newer;
}

void SectoredCache::to_front(std::uint32_t at) {
  Line& l = lines_[at];
  l.newer = kNoLine;
  l.older = newest_;
  (newest_ == kNoLine ? oldest_ : lines_[newest_].newer) = at;
  newest_ = at;
}

SectoredCache::Found SectoredCache::touch(std::uint64_t number, std::uint8_t sectors,
                                          std::uint32_t round, bool dirty) {
  const auto known = where_.find(number);
  std::uint32_t at = 0;
  if (known != where_.end()) {
    at = known->second;
    unlink(at);
  } else if (lines_.size() < capacity_) {
    at = static_cast<std::uint32_t>(lines_.size());
    lines_.emplace_back();
  } else {
    at = oldest_;
    unlink(at);
    evicted_dirty_ += static_cast<std::uint32_t>(std::popcount(lines_[at].dirty));
    where_.erase(lines_[at].number);
    lines_[at] = {};
  }
  if (known == where_.end()) where_[number] = at;
  to_front(at);
  Line& l = lines_[at];
  l.number = number;
  Found found{static_cast<std::uint8_t>(sectors & ~l.sectors), l.filled, l.level};
  l.sectors |= sectors;
  if (dirty) l.dirty |= sectors;
  if (found.missing != 0) l.filled = round;
  return found;
}

void SectoredCache::came_from(std::uint64_t number, std::uint8_t level) {
  if (const auto known = where_.find(number); known != where_.end())
    lines_[known->second].level = level;
}

std::uint64_t SectoredCache::dirty() const {
  std::uint64_t count = 0;
  for (const Line& l : lines_) count += static_cast<std::uint32_t>(std::popcount(l.dirty));
  return count;
}

CacheTotals replay(const Traffic& traffic, std::uint64_t l1_bytes, std::uint64_t l2_bytes,
                   std::uint32_t multiprocessors) {
  CacheTotals totals;
  totals.reached.resize(traffic.instructions.size());
  totals.sectors.resize(traffic.instructions.size());
  const std::uint32_t sampled = std::max(1u, traffic.plan.multiprocessors);
  std::vector<SectoredCache> l1(sampled, SectoredCache(l1_bytes));
  SectoredCache l2(l2_bytes * sampled / std::max(sampled, multiprocessors));
  std::uint64_t written = 0;
  RunCounter read, stored;
  std::vector<std::uint32_t> active(traffic.warps.size());
  for (std::uint32_t w = 0; w < active.size(); ++w) active[w] = w;

  for (std::uint32_t round = 0; !active.empty(); ++round) {
    std::erase_if(active,
                  [&](std::uint32_t w) { return round >= traffic.warps[w].requests.size(); });
    for (const std::uint32_t index : active) {
      const WarpTraffic& warp = traffic.warps[index];
      const TrafficRequest& request = warp.requests[round];
      SectoredCache& own = l1[(warp.block - traffic.plan.first) % sampled];
      CacheTotals::Sectors& s = totals.sectors[request.instruction];
      std::uint8_t farthest = kFromL1;
      ++s.requests;
      for (std::uint32_t k = 0; k < request.touches; ++k) {
        const std::uint64_t touch = warp.touches[request.first + k];
        const std::uint64_t line = touch >> 4;
        const auto sectors = static_cast<std::uint8_t>(touch & 0xf);
        if (request.kind != AccessKind::load) {
          const auto behind = l2.touch(line, sectors, round, true);
          if (behind.missing != 0) {
            l2.came_from(line, kFromL2);
            stored.add(line, behind.missing);
          }
          ++s.l2_lines;
          s.written += static_cast<std::uint32_t>(std::popcount(sectors));
          written += static_cast<std::uint32_t>(std::popcount(sectors));
          farthest = std::max<std::uint8_t>(farthest, kFromL2);
          continue;
        }
        s.requested += static_cast<std::uint32_t>(std::popcount(sectors));
        const auto first = own.touch(line, sectors, round);
        if (first.missing == 0) {
          if (first.filled == round) farthest = std::max(farthest, first.level);
          continue;
        }
        s.l1_missed += static_cast<std::uint32_t>(std::popcount(first.missing));
        ++s.l2_lines;
        const auto second = l2.touch(line, first.missing, round);
        std::uint8_t from = kFromL2;
        if (second.missing != 0) {
          s.l2_missed += static_cast<std::uint32_t>(std::popcount(second.missing));
          l2.came_from(line, kFromDram);
          read.add(line, second.missing);
          from = kFromDram;
        } else if (second.filled == round) {
          from = std::max<std::uint8_t>(kFromL2, second.level);
        }
        own.came_from(line, from);
        farthest = std::max(farthest, from);
      }
      FarthestLevels& r = totals.reached[request.instruction];
      ++r.requests;
      r.l2 += farthest == kFromL2;
      r.dram += farthest == kFromDram;
    }
    read.end_round();
    stored.end_round();
  }
  totals.runs_per_sector_read = read.per_sector();
  totals.runs_per_sector_written = stored.per_sector();
  if (written != 0)
    totals.written_back =
        static_cast<double>(l2.evicted_dirty() + l2.dirty()) / static_cast<double>(written);
  return totals;
}

}  // namespace warpbook::device
