#include "lab/exhibits/pareto/pareto_summary.hpp"

#include <algorithm>

#include "lab/markup/axis.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Kernel = ParetoExhibit::Point;
using Measure = ParetoExhibit::Measure;
using Origin = ParetoExhibit::Origin;

std::string count_text(double value) { return grouped(static_cast<std::uint64_t>(value)); }

/// The fastest point of the frontier that dominates this one; none where it is on the frontier itself.
std::optional<std::size_t> dominator_of(const ParetoExhibit& pareto, std::size_t point) {
  for (const std::size_t other : frontier_of(pareto)) {
    if (dominates(pareto, pareto.points[other], pareto.points[point])) return other;
  }
  return {};
}

}  // namespace

double amount_of(const ParetoExhibit& pareto, const Kernel& point) {
  switch (pareto.measure) {
    case Measure::sectors: return point.sectors;
    case Measure::instructions: return point.instructions;
    case Measure::memory: break;
  }
  return point.memory;
}

bool is_drawn(const ParetoExhibit& pareto, const Kernel& point) {
  return is_positive(point.seconds) && is_positive(amount_of(pareto, point));
}

bool dominates(const ParetoExhibit& pareto, const Kernel& a, const Kernel& b) {
  const double amount_a = amount_of(pareto, a), amount_b = amount_of(pareto, b);
  if (a.seconds > b.seconds || amount_a > amount_b) return false;
  return a.seconds < b.seconds || amount_a < amount_b;
}

std::vector<std::size_t> frontier_of(const ParetoExhibit& pareto) {
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < pareto.points.size(); ++i) {
    if (is_drawn(pareto, pareto.points[i])) drawn.push_back(i);
  }
  std::vector<std::size_t> frontier;
  for (const std::size_t i : drawn) {
    const bool beaten = std::ranges::any_of(drawn, [&](std::size_t other) {
      return dominates(pareto, pareto.points[other], pareto.points[i]);
    });
    if (!beaten) frontier.push_back(i);
  }
  std::ranges::stable_sort(frontier, {}, [&](std::size_t i) { return pareto.points[i].seconds; });
  return frontier;
}

bool is_on_frontier(const ParetoExhibit& pareto, std::size_t point) {
  const auto frontier = frontier_of(pareto);
  return std::ranges::find(frontier, point) != frontier.end();
}

std::optional<std::size_t> yours_of(const ParetoExhibit& pareto) {
  const auto yours = std::ranges::find(pareto.points, Origin::yours, &Kernel::origin);
  if (yours == pareto.points.end()) return {};
  return static_cast<std::size_t>(yours - pareto.points.begin());
}

std::size_t first_shown(const ParetoExhibit& pareto) { return yours_of(pareto).value_or(0); }

ParetoBounds bounds_of(const ParetoExhibit& pareto) {
  ParetoBounds bounds;
  for (const Kernel& point : pareto.points) {
    if (!is_drawn(pareto, point)) continue;
    const double amount = amount_of(pareto, point),
                 low = is_positive(point.low) ? std::min(point.low, point.seconds) : point.seconds,
                 high =
                     is_positive(point.high) ? std::max(point.high, point.seconds) : point.seconds;
    bounds = joined(bounds, {amount, amount, low, high, true});
  }
  return bounds;
}

ParetoBounds joined(const ParetoBounds& a, const ParetoBounds& b) {
  if (!a.any || !b.any) return a.any ? a : b;
  return {std::min(a.left, b.left), std::max(a.right, b.right), std::min(a.low, b.low),
          std::max(a.high, b.high), true};
}

std::string amount_text(const ParetoExhibit& pareto, double amount) {
  return pareto.measure == Measure::memory ? byte_count(static_cast<std::uint64_t>(amount))
                                           : count_text(amount);
}

std::string measure_name(const ParetoExhibit& pareto, const Strings& strings) {
  return strings("pareto.measure." + std::string(name_of(pareto.measure)));
}

std::string point_name(const ParetoExhibit& pareto, std::size_t point, const Strings& strings) {
  return point_sign(point) + " " + strings(pareto.points[point].name);
}

std::string point_text(const ParetoExhibit& pareto, std::size_t point, const Strings& strings) {
  const Kernel& one = pareto.points[point];
  const std::string name = point_name(pareto, point, strings);
  if (!is_drawn(pareto, one)) return strings("pareto.no-place", {{"name", name}});
  const auto dominator = dominator_of(pareto, point);
  const std::string figures =
      strings("pareto.figures", {{"name", name},
                                 {"time", duration(one.seconds)},
                                 {"low", duration(one.low)},
                                 {"high", duration(one.high)},
                                 {"amount", amount_text(pareto, amount_of(pareto, one))},
                                 {"measure", measure_name(pareto, strings)}});
  const std::string place =
      dominator ? strings("pareto.dominated", {{"other", point_name(pareto, *dominator, strings)}})
                : strings("pareto.on-frontier");
  return sentences(strings, std::vector<std::string>{figures, place});
}

std::vector<std::string> row_of(const ParetoExhibit& pareto, std::size_t point,
                                const Strings& strings) {
  const Kernel& one = pareto.points[point];
  return {point_sign(point),
          strings(one.name),
          is_positive(one.seconds) ? duration(one.seconds) : "–",
          is_positive(one.high) ? duration(one.low) + " – " + duration(one.high) : "–",
          count_text(one.sectors),
          count_text(one.instructions),
          byte_count(static_cast<std::uint64_t>(one.memory)),
          strings(is_on_frontier(pareto, point) ? "pareto.yes" : "pareto.no")};
}

std::vector<std::string> kernel_head(const Strings& strings) {
  std::vector<std::string> head{""};
  for (const char* key :
       {"pareto.head.name", "pareto.head.time", "pareto.head.band", "pareto.head.sectors",
        "pareto.head.instructions", "pareto.head.memory", "pareto.head.frontier"})
    head.push_back(strings(key));
  return head;
}

}  // namespace warpbook::lab
