// synccheck: barriers that open, but that were reached in ways which the PTX ISA leaves undefined (9.0, 9.7.13.1). A barrier
// that never opens is an error with and without synccheck (deadlock.cpp).
#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {

void BlockRunner::report_barrier(ErrorCode code, const WarpState& warp, std::uint32_t lanes,
                                 const BasicBlock& at, MessageArguments arguments) {
  RawFinding finding;
  finding.code = code;
  finding.block = context.block_index;
  finding.thread = warp.index * kLanes + static_cast<std::uint32_t>(std::countr_zero(lanes));
  finding.instruction = at.first_instruction + at.instructions - 1;
  finding.said = std::move(arguments);
  finding.said.emplace_back("warp", std::to_string(warp.index));
  observer.find(std::move(finding));
}

/// A fragment arrives at barrier `id`, whose state is `state` so far. `count`: the threads that it names; 0: all.
void BlockRunner::check_count(const WarpState& warp, const Fragment& f, const BasicBlock& b,
                              std::uint32_t id, std::uint32_t count, const BarrierState& state) {
  if (!launch.request.observe.synccheck) return;
  const isa::BarrierDetail& d = code_.barriers[b.detail];
  Message why;
  if (count % kLanes != 0) {
    why = {"phrase.why.whole-warps", {}, {}};
  } else if (count > launch.facts.warps * kLanes) {
    why = {"phrase.why.block-has", {{"threads", launch.facts.warps * kLanes}}, {}};
  } else if (state.first != kNone && state.named != count) {
    why = state.named == 0 ? Message{"phrase.why.others-whole-block", {}, {}}
                           : Message{"phrase.why.others-name", {{"threads", state.named}}, {}};
  }
  if (!why.empty()) {
    report_barrier(ErrorCode::barrier_count, warp, f.mask, b,
                   {{"barrier", std::to_string(id)},
                    {"count", count == 0 ? Message{"phrase.count.all", {}, {}}
                                         : Message::plain(std::to_string(count))},
                    {"why", why}});
  }
  if (state.first == kNone) return;
  const BasicBlock& first = code_.blocks[state.first];
  if (code_.barriers[first.detail].reduction == d.reduction) return;
  const auto text = [&](const BasicBlock& at) {
    return std::string(launch.module.parsed().text_of(
        *code_.instructions[at.first_instruction + at.instructions - 1].source));
  };
  report_barrier(ErrorCode::barrier_mixed, warp, f.mask, b,
                 {{"barrier", std::to_string(id)},
                  {"instruction", text(b)},
                  {"other_instruction", text(first)}});
}

/// All lanes of a warp are at barrier `id`. They must have reached it at one and the same instruction, unless it is a barrier
/// without .aligned.
void BlockRunner::check_places(const WarpState& warp, std::uint32_t id) {
  if (!launch.request.observe.synccheck || warp.fragments.size() < 2) return;
  const Fragment* first = nullptr;
  bool differ = false, aligned = false;
  for (const Fragment& f : warp.fragments) {
    if (f.waiting != Waiting::barrier || f.barrier != id) continue;
    aligned |= code_.barriers[code_.blocks[f.block].detail].aligned;
    differ |= first && first->block != f.block;
    if (!first || f.block < first->block) first = &f;
  }
  if (!differ || !aligned) return;
  std::vector<Message> who;
  std::map<std::uint32_t, std::uint32_t> lanes;  // at the barrier of each basic block
  for (const Fragment& f : warp.fragments) {
    if (f.waiting == Waiting::barrier && f.barrier == id) lanes[f.block] |= f.mask;
  }
  for (const auto& [block, mask] : lanes) {
    const BasicBlock& b = code_.blocks[block];
    const SourcePlace place =
        isa::place_of(launch.module.parsed(),
                      *code_.instructions[b.first_instruction + b.instructions - 1].source);
    who.push_back(
        {"phrase.who.lanes-at", {{"lanes", lanes_in_words(mask)}, {"line", place.line}}, {}});
  }
  report_barrier(ErrorCode::barrier_divergent, warp, first->mask, code_.blocks[first->block],
                 {{"who", Message::list_of("list.separator", std::move(who))}});
}

/// Barrier `id` opens. Where it names no count it is for the whole block, so that every thread must be there, at one line of the
/// source: the compiler may have copied the instruction.
void BlockRunner::check_whole(const BlockState& block, std::uint32_t id) {
  if (!launch.request.observe.whole_barriers || block.barriers[id].expected != 0) return;
  struct Arrived {
    const WarpState* warp;
    const Fragment* fragment;
  };
  std::vector<Arrived> arrived;  // at each basic block one
  std::uint32_t ended = 0, first_ended = kNone;
  for (const WarpState& warp : block.warps) {
    if (const std::uint32_t gone = warp.lanes & ~warp.live; gone != 0) {
      ended += static_cast<std::uint32_t>(std::popcount(gone));
      first_ended = std::min(
          first_ended, warp.index * kLanes + static_cast<std::uint32_t>(std::countr_zero(gone)));
    }
    for (const Fragment& f : warp.fragments) {
      if (f.waiting != Waiting::barrier || f.barrier != id || !f.counted) continue;
      if (!code_.barriers[code_.blocks[f.block].detail].aligned) return;
      const bool known = std::ranges::any_of(
          arrived, [&](const Arrived& each) { return each.fragment->block == f.block; });
      if (!known) arrived.push_back({&warp, &f});
    }
  }
  if (arrived.empty()) return;
  const auto report = [&](ErrorCode code, const Arrived& at, MessageArguments arguments) {
    report_barrier(code, *at.warp, at.fragment->mask, code_.blocks[at.fragment->block],
                   std::move(arguments));
  };
  if (ended != 0) {
    report(ErrorCode::barrier_passed_by, arrived.front(),
           {{"ended", ended}, {"of", launch.facts.block_threads}, {"other", first_ended}});
  }
  if (arrived.size() < 2) return;
  std::map<std::uint32_t, Arrived> by_line;
  for (const Arrived& each : arrived) {
    const BasicBlock& b = code_.blocks[each.fragment->block];
    by_line.try_emplace(at(ErrorCode::barrier_apart, {}, b).place.line, each);
  }
  if (by_line.size() < 2) return;
  std::vector<Message> who;
  for (const auto& [line, each] : by_line)
    who.push_back({"phrase.who.warp-at", {{"warp", each.warp->index}, {"line", line}}, {}});
  report(ErrorCode::barrier_apart, by_line.begin()->second,
         {{"who", Message::list_of("list.separator", std::move(who))}});
}

}  // namespace warpbook::device
