// Which fragment of a warp runs next. The lowest in the order of isa/flow.hpp does, so that lanes which parted meet again
// as early as they can; fragments at one place in one frame become one. A fragment that spins steps back for a while.
#include <algorithm>
#include <bit>

#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {

/// Compares positions from the outermost frame inwards. A fragment inside a call stands just before the place that the
/// call returns to.
bool BlockRunner::goes_before(const Fragment& a, const Fragment& b) const {
  const CallFrame *fa = a.frame, *fb = b.frame;
  std::uint64_t pa = 2 * std::uint64_t{code_.blocks[a.block].rank},
                pb = 2 * std::uint64_t{code_.blocks[b.block].rank};
  std::uint32_t callee_a = 0, callee_b = 0;
  const auto up = [&](const CallFrame*& f, std::uint64_t& p, std::uint32_t& callee) {
    p = 2 * std::uint64_t{code_.blocks[f->return_block].rank} - 1;
    callee = f->function;
    f = f->parent;
  };
  while (fa->depth > fb->depth) up(fa, pa, callee_a);
  while (fb->depth > fa->depth) up(fb, pb, callee_b);
  while (fa != fb) {
    if (!fa->parent || !fb->parent) break;
    up(fa, pa, callee_a);
    up(fb, pb, callee_b);
  }
  if (pa != pb) return pa < pb;
  // One place called both functions: all lanes of one go before all of the other, or lanes that
  // parted in the one could be kept from meeting by those in the other.
  if (callee_a != callee_b) return callee_a < callee_b;
  return std::countr_zero(a.mask) < std::countr_zero(b.mask);
}

Fragment* BlockRunner::choose(WarpState& warp) {
  Fragment* best = nullptr;
  bool deferred = false;
  for (Fragment& f : warp.fragments) {
    if (f.waiting != Waiting::nothing) continue;
    if (f.deferred) {
      deferred = true;
      continue;
    }
    if (!best || goes_before(f, *best)) best = &f;
  }
  if (best || !deferred) return best;
  for (Fragment& f : warp.fragments) f.deferred = false;
  warp.turn = 0;
  return choose(warp);
}

/// For --seed: any ready fragment.
Fragment* BlockRunner::choose_any(WarpState& warp) {
  std::uint32_t ready = 0;
  for (const Fragment& f : warp.fragments) ready += f.waiting == Waiting::nothing;
  if (ready == 0) return nullptr;
  std::uint32_t pick = static_cast<std::uint32_t>(random_() % ready);
  for (Fragment& f : warp.fragments) {
    if (f.waiting == Waiting::nothing && pick-- == 0) return &f;
  }
  return nullptr;
}

/// Joins ready fragments that are at one place in one frame.
void BlockRunner::merge(WarpState& warp) {
  auto& all = warp.fragments;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].waiting != Waiting::nothing) continue;
    for (std::size_t k = i + 1; k < all.size();) {
      if (all[k].waiting == Waiting::nothing && all[k].block == all[i].block &&
          all[k].frame == all[i].frame) {
        all[i].mask |= all[k].mask;
        all[i].deferred = all[i].deferred && all[k].deferred;
        all[i].spins = std::min(all[i].spins, all[k].spins);
        all[k] = all.back();
        all.pop_back();
      } else {
        ++k;
      }
    }
  }
}

/// `lanes` leave f for a fragment of their own.
Fragment& BlockRunner::split(WarpState& warp, Fragment& f, std::uint32_t lanes) {
  Fragment other = f;
  other.mask = lanes;
  f.mask &= ~lanes;
  warp.fragments.push_back(other);
  return warp.fragments.back();
}

void BlockRunner::remove(WarpState& warp, Fragment& f) {
  f = warp.fragments.back();
  warp.fragments.pop_back();
}

}  // namespace warpbook::device
