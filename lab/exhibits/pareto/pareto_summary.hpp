// Pareto charts: what their renderers share. Both axes are logarithmic.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/exhibits/pareto/pareto.hpp"

namespace warpbook::lab {

/// What the exhibit's measure says of a point.
double amount_of(const ParetoExhibit& pareto, const ParetoExhibit::Point& point);
/// Its time and its amount are positive numbers, so that it has a place.
bool is_drawn(const ParetoExhibit& pareto, const ParetoExhibit::Point& point);
/// `a` is no worse than `b` in time and amount, and better in one of them.
bool dominates(const ParetoExhibit& pareto, const ParetoExhibit::Point& a,
               const ParetoExhibit::Point& b);
/// The drawn points that no other one dominates, the fastest first.
std::vector<std::size_t> frontier_of(const ParetoExhibit& pareto);
bool is_on_frontier(const ParetoExhibit& pareto, std::size_t point);
/// The point that is the reader's now; none where there is none.
std::optional<std::size_t> yours_of(const ParetoExhibit& pareto);
/// What is shown first: the reader's point, else the first.
std::size_t first_shown(const ParetoExhibit& pareto);

/// The part of the plane that holds every point with its band.
struct ParetoBounds {
  double left = 0, right = 0, low = 0, high = 0;
  bool any = false;  ///< a point is drawn
};
ParetoBounds bounds_of(const ParetoExhibit& pareto);
ParetoBounds joined(const ParetoBounds& a, const ParetoBounds& b);

/// "451,840", "89.2 KiB".
std::string amount_text(const ParetoExhibit& pareto, double amount);
/// "sectors at L1".
std::string measure_name(const ParetoExhibit& pareto, const Strings& strings);
/// "A direct".
std::string point_name(const ParetoExhibit& pareto, std::size_t point, const Strings& strings);
/// A point in sentences: its figures, and whether it is on the frontier or which one dominates it.
std::string point_text(const ParetoExhibit& pareto, std::size_t point, const Strings& strings);
/// A row of a table: sign, name, time, the three measures, whether it is on the frontier.
std::vector<std::string> row_of(const ParetoExhibit& pareto, std::size_t point,
                                const Strings& strings);
std::vector<std::string> kernel_head(const Strings& strings);

}  // namespace warpbook::lab
