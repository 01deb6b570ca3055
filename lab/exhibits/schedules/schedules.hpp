// One launch under many schedules: which results there were, how often, and the two lines between which nothing decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// What a launch left behind in one array, under schedule 0, 1, 2 and so on.
struct SchedulesExhibit {
  static constexpr std::string_view kKind = "schedules";
  /// An element that is not what it should be, as text.
  struct Difference {
    std::uint64_t index = 0;
    std::string expected, got;
    friend bool operator==(const Difference&, const Difference&) = default;
  };
  static constexpr std::size_t kMostDifferences = 3;
  /// What some of the runs left behind, the same in all of them.
  struct Outcome {
    bool ended = true;                    ///< false: the launch was stopped, or failed
    std::uint64_t wrong = 0;              ///< elements
    std::vector<Difference> differences;  ///< the first kMostDifferences
    std::vector<std::uint64_t> places;    ///< of all wrong elements
    friend bool operator==(const Outcome&, const Outcome&) = default;
  };
  /// One of two accesses that collide.
  struct Side {
    std::uint32_t line = 0;
    device::AccessKind kind = device::AccessKind::load;
    std::uint32_t block = 0, thread = 0;  ///< linear; the thread in its block
    friend bool operator==(const Side&, const Side&) = default;
  };
  /// Two accesses that nothing orders, as the checker found them.
  struct Collision {
    Side first, second;             ///< in the order of their lines
    Message finding;                ///< with the remedy
    bool barrier = false;           ///< a barrier between the two lines is the remedy
    std::uint32_t first_line = 0;   ///< of `code`
    std::vector<std::string> code;  ///< the lines of the source from there on
    friend bool operator==(const Collision&, const Collision&) = default;
  };
  std::string array;  ///< "used"
  std::uint64_t elements = 0;
  std::vector<Outcome> outcomes;    ///< in the order in which the runs came to them
  std::vector<std::uint32_t> runs;  ///< by schedule: the number of its outcome
  std::uint32_t chosen = 0;         ///< the schedule that is shown first
  bool seeded = true;               ///< false: no schedule was chosen, the hardware had its own
  std::uint64_t races = 0;          ///< places where accesses collide, as the checker counted them
  std::optional<Collision> collision;
  friend bool operator==(const SchedulesExhibit&, const SchedulesExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<SchedulesExhibit::Difference> auto& v) {
  visit("index", v.index);
  visit("expected", v.expected);
  visit("got", v.got);
}

template <class V>
void fields(V&& visit, Is<SchedulesExhibit::Outcome> auto& v) {
  visit("ended", v.ended);
  visit("wrong", v.wrong);
  visit("differences", v.differences);
  visit("places", v.places);
}

template <class V>
void fields(V&& visit, Is<SchedulesExhibit::Side> auto& v) {
  visit("line", v.line);
  visit("kind", v.kind);
  visit("block", v.block);
  visit("thread", v.thread);
}

template <class V>
void fields(V&& visit, Is<SchedulesExhibit::Collision> auto& v) {
  visit("first", v.first);
  visit("second", v.second);
  visit("finding", v.finding);
  visit("barrier", v.barrier);
  visit("first_line", v.first_line);
  visit("code", v.code);
}

template <class V>
void fields(V&& visit, Is<SchedulesExhibit> auto& v) {
  visit("array", v.array);
  visit("elements", v.elements);
  visit("outcomes", v.outcomes);
  visit("runs", v.runs);
  visit("chosen", v.chosen);
  visit("seeded", v.seeded);
  visit("races", v.races);
  visit("collision", v.collision);
}
/// Every run has an outcome, and wrong elements are elements.
bool valid(const SchedulesExhibit& v);

/// Whether that outcome is the right one.
bool is_right(const SchedulesExhibit::Outcome& outcome);
/// Schedules whose outcome is right.
std::uint64_t right_runs(const SchedulesExhibit& schedules);
/// Outcomes that are not right.
std::uint64_t wrong_outcomes(const SchedulesExhibit& schedules);

std::string sentence_of(const SchedulesExhibit& schedules, const Strings& strings);
void text_body(const SchedulesExhibit& schedules, const Strings& strings, Page& page);
std::string html_body(const SchedulesExhibit& schedules, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<SchedulesExhibit> kind);
Table table_of(const SchedulesExhibit& schedules, const Strings& strings);
void compare(const SchedulesExhibit& a, const SchedulesExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
