#include <algorithm>
#include <vector>

#include "lab/exhibits/issue_slots/issue_slots.hpp"

namespace warpbook::lab {
namespace {

using Case = IssueSlotsExhibit::Case;

/// A warp of the model: when it may issue next, and what it has left.
struct ModelWarp {
  std::uint64_t ready = 0;   ///< the clock from which on it can issue
  std::uint32_t work = 0;    ///< instructions before its next load
  std::uint32_t rounds = 0;  ///< that it has yet to begin
  [[nodiscard]] bool ended() const { return work == 0 && rounds == 0; }
};

/// Lets a warp issue in one clock.
void issue(ModelWarp& warp, std::uint64_t clock, std::uint32_t latency, std::uint32_t work) {
  warp.ready = clock + 1;
  if (warp.work > 0) {
    --warp.work;
    return;
  }
  --warp.rounds;
  warp.work = work;
  if (work > 0) warp.ready = clock + 1 + latency;
}

Case case_of(std::uint32_t warps, const IssueSlotsExhibit& model) {
  Case made;
  made.warps = warps;
  made.own = (warps + model.schedulers - 1) / model.schedulers;
  std::vector<ModelWarp> all(made.own, ModelWarp{0, 0, model.rounds});
  for (;;) {
    // The first that is ready; else time passes until one is.
    std::uint64_t soonest = ~0ull;
    ModelWarp* next = nullptr;
    for (ModelWarp& warp : all) {
      if (warp.ended()) continue;
      if (warp.ready <= made.clocks) {
        next = &warp;
        break;
      }
      soonest = std::min(soonest, warp.ready);
    }
    if (!next && soonest == ~0ull) return made;
    if (!next) {
      made.clocks = soonest;
      continue;
    }
    issue(*next, made.clocks, model.latency, model.work);
    const auto warp = static_cast<std::uint32_t>(next - all.data());
    if (!made.spans.empty() && made.spans.back().warp == warp &&
        made.spans.back().begin + made.spans.back().clocks == made.clocks)
      ++made.spans.back().clocks;
    else
      made.spans.push_back({warp, made.clocks, 1});
    ++made.clocks;
  }
}

}  // namespace

IssueSlotsExhibit issue_slots_of(std::uint32_t schedulers, std::uint32_t latency,
                                 std::uint32_t work, std::uint32_t rounds,
                                 std::span<const std::uint32_t> warps) {
  IssueSlotsExhibit made;
  made.schedulers = std::max(1u, schedulers);
  made.latency = latency;
  made.work = work;
  made.rounds = rounds;
  for (const std::uint32_t count : warps) made.cases.push_back(case_of(count, made));
  return made;
}

std::uint64_t filled_of(const Case& one) {
  std::uint64_t filled = 0;
  for (const IssueSlotsExhibit::Span& span : one.spans) filled += span.clocks;
  return filled;
}

}  // namespace warpbook::lab
