// Kernels that do one thing, by their time and by what else they cost: which of them no other one beats in both.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lab/markup/kind.hpp"

namespace warpbook::lab {

struct ParetoExhibit {
  static constexpr std::string_view kKind = "pareto";
  enum class Origin : std::uint8_t {
    ours,
    yours,   ///< the reader's kernel, as it is now
    earlier  ///< one that the reader had before
  };
  /// What stands on the axis beside the time.
  enum class Measure : std::uint8_t {
    sectors,       ///< that moved at L1
    instructions,  ///< of warps
    memory         ///< bytes of device memory: inputs, outputs and workspaces
  };
  struct Point {
    Message name;
    Origin origin = Origin::ours;
    std::uint64_t run = 0;                  ///< an earlier kernel's number, from 1
    double seconds = 0, low = 0, high = 0;  ///< with the estimate's band
    double sectors = 0, instructions = 0, memory = 0;
    friend bool operator==(const Point&, const Point&) = default;
  };
  Measure measure = Measure::sectors;
  std::vector<Point> points;
  std::string slot;  ///< of the source that is `yours`; empty: none is remembered
  std::string
      setting;  ///< what the points have in common, for machines: kernels of another setting have no place here
  friend bool operator==(const ParetoExhibit&, const ParetoExhibit&) = default;
};

constexpr auto enum_names(ParetoExhibit::Origin) {
  return device::checked_names<ParetoExhibit::Origin>("ours", "yours", "earlier");
}
constexpr auto enum_names(ParetoExhibit::Measure) {
  return device::checked_names<ParetoExhibit::Measure>("sectors", "instructions", "memory");
}

template <class V>
void fields(V&& visit, Is<ParetoExhibit::Point> auto& v) {
  visit("name", v.name);
  visit("origin", v.origin);
  visit("run", v.run);
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("sectors", v.sectors);
  visit("instructions", v.instructions);
  visit("memory", v.memory);
}

template <class V>
void fields(V&& visit, Is<ParetoExhibit> auto& v) {
  visit("measure", v.measure);
  visit("points", v.points);
  visit("slot", v.slot);
  visit("setting", v.setting);
}

std::string sentence_of(const ParetoExhibit& pareto, const Strings& strings);
void text_body(const ParetoExhibit& pareto, const Strings& strings, Page& page);
std::string html_body(const ParetoExhibit& pareto, const ParetoExhibit* beside,
                      const Strings& strings, const std::string& caption);
std::string_view style_of(std::type_identity<ParetoExhibit> kind);
Table table_of(const ParetoExhibit& pareto, const Strings& strings);
void compare(const ParetoExhibit& a, const ParetoExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
