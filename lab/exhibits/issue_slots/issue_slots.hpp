// The issue slots of a warp scheduler, clock by clock: which warp fills each, and which stay empty because every warp waits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/types.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// What one of a multiprocessor's schedulers issues in each clock, for several numbers of warps. It is a model, no observation.
struct IssueSlotsExhibit {
  static constexpr std::string_view kKind = "issue_slots";
  /// Slots that one warp fills without a pause.
  struct Span {
    std::uint32_t warp = 0;  ///< of this scheduler, from 0
    std::uint64_t begin = 0, clocks = 0;
    friend bool operator==(const Span&, const Span&) = default;
  };
  struct Case {
    std::uint32_t warps = 0;   ///< on the multiprocessor
    std::uint32_t own = 0;     ///< of these, on this scheduler
    std::uint64_t clocks = 0;  ///< until all have ended
    std::vector<Span> spans;   ///< by their begin
    friend bool operator==(const Case&, const Case&) = default;
  };
  std::uint32_t schedulers = 1;  ///< of a multiprocessor; each issues one instruction per clock
  std::uint32_t latency = 0;     ///< clocks from a load to the first instruction that needs it
  std::uint32_t work = 0;        ///< instructions that need the load, one per clock
  std::uint32_t rounds = 0;      ///< how often each warp loads and works
  std::vector<Case> cases;
  std::uint32_t chosen = 0;  ///< of cases: what is shown first
  friend bool operator==(const IssueSlotsExhibit&, const IssueSlotsExhibit&) = default;
};

/// The model. In each round a warp issues a load, waits `latency` clocks for it, and issues `work` instructions. Each clock, the
/// scheduler issues for the first of its warps, in the order of their numbers, that is ready. The warps are dealt out to the
/// schedulers in turn.
IssueSlotsExhibit issue_slots_of(std::uint32_t schedulers, std::uint32_t latency,
                                 std::uint32_t work, std::uint32_t rounds,
                                 std::span<const std::uint32_t> warps);

template <class V>
void fields(V&& visit, Is<IssueSlotsExhibit::Span> auto& v) {
  visit("warp", v.warp);
  visit("begin", v.begin);
  visit("clocks", v.clocks);
}

template <class V>
void fields(V&& visit, Is<IssueSlotsExhibit::Case> auto& v) {
  visit("warps", v.warps);
  visit("own", v.own);
  visit("clocks", v.clocks);
  visit("spans", v.spans);
}

template <class V>
void fields(V&& visit, Is<IssueSlotsExhibit> auto& v) {
  visit("schedulers", v.schedulers);
  visit("latency", v.latency);
  visit("work", v.work);
  visit("rounds", v.rounds);
  visit("cases", v.cases);
  visit("chosen", v.chosen);
}
/// Spans follow one another within their case's clocks.
bool valid(const IssueSlotsExhibit& v);

/// Slots that are filled.
std::uint64_t filled_of(const IssueSlotsExhibit::Case& one);

void extras(JsonExtras& json, const IssueSlotsExhibit::Case& one);

std::string sentence_of(const IssueSlotsExhibit& slots, const Strings& strings);
void text_body(const IssueSlotsExhibit& slots, const Strings& strings, Page& page);
std::string html_body(const IssueSlotsExhibit& slots, const IssueSlotsExhibit* beside,
                      const Strings& strings, const std::string& caption);
Table table_of(const IssueSlotsExhibit& slots, const Strings& strings);
void compare(const IssueSlotsExhibit& a, const IssueSlotsExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
