#include "lab/exhibits/curve/curve_summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/axis.hpp"

namespace warpbook::lab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The piece of the x axis that a finite x lies in.
std::uint64_t column_of(double x, const CurveBounds& bounds, std::uint64_t columns) {
  const double share = share_of(x, bounds.left, bounds.right);
  return std::min(columns - 1, static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) *
                                                          static_cast<double>(columns)));
}

CurveMark::Kind kind_of(double value) {
  if (std::isnan(value)) return CurveMark::Kind::nan;
  return value > 0 ? CurveMark::Kind::above : CurveMark::Kind::below;
}

}  // namespace

std::uint64_t points_of(const CurveExhibit& curve) { return held(curve.x); }

double x_at(const CurveExhibit& curve, std::uint64_t point) { return element(curve.x, point); }

double y_at(const CurveExhibit& curve, std::size_t series, std::uint64_t point) {
  return element(curve.series[series].values, point);
}

double share_of(double value, double low, double high) {
  const double span = high / 2 - low / 2;  // the halves: the whole may be too large for a double
  return span > 0 ? (value / 2 - low / 2) / span : 0.5;
}

CurveBounds bounds_of(const CurveExhibit& curve) {
  CurveBounds bounds{kInfinity, -kInfinity, kInfinity, -kInfinity};
  for (std::uint64_t point = 0; point < points_of(curve); ++point) {
    const double x = x_at(curve, point);
    if (!std::isfinite(x)) continue;
    bounds.left = std::min(bounds.left, x);
    bounds.right = std::max(bounds.right, x);
    for (std::size_t s = 0; s < curve.series.size(); ++s) {
      const double y = y_at(curve, s, point);
      if (!std::isfinite(y)) continue;
      bounds.low = std::min(bounds.low, y);
      bounds.high = std::max(bounds.high, y);
      bounds.any = true;
    }
  }
  // A limit that lies close by belongs to the picture.
  const CurveBounds of_points = bounds;
  const double near = (bounds.high - bounds.low) / 2;
  for (std::size_t s = 0; bounds.any && s < curve.series.size(); ++s) {
    for (const bool right : {false, true}) {
      const double limit = limit_of(curve, s, right).value_or(of_points.low);
      if (limit >= of_points.low - near && limit <= of_points.high + near) {
        bounds.low = std::min(bounds.low, limit);
        bounds.high = std::max(bounds.high, limit);
      }
    }
  }
  const auto widen = [](double& low, double& high) {
    if (!(low <= high)) low = high = 0;
    if (low < high) return;
    const double room = std::max(std::abs(low) / 2, 0.5);
    low -= room;
    high += room;
  };
  widen(bounds.left, bounds.right);
  widen(bounds.low, bounds.high);
  return bounds;
}

CurveBounds joined(const CurveBounds& a, const CurveBounds& b) {
  if (!a.any || !b.any) return a.any ? a : b;
  return {std::min(a.left, b.left), std::max(a.right, b.right), std::min(a.low, b.low),
          std::max(a.high, b.high), true};
}

std::vector<std::vector<std::uint64_t>> runs_of(const CurveExhibit& curve, std::size_t series,
                                                std::uint64_t columns) {
  const CurveBounds bounds = bounds_of(curve);
  std::vector<std::vector<std::uint64_t>> runs;
  std::array<std::uint64_t, 4> kept{};  // first, least, greatest, last of this column
  std::uint64_t column = 0;
  bool open = false, filled = false;
  const auto flush = [&] {
    if (!filled) return;
    std::ranges::sort(kept);
    auto& run = runs.back();
    for (const std::uint64_t point : kept) {
      if (run.empty() || run.back() != point) run.push_back(point);
    }
    filled = false;
  };
  for (std::uint64_t point = 0; point < points_of(curve); ++point) {
    const double x = x_at(curve, point), y = y_at(curve, series, point);
    if (!std::isfinite(x)) continue;
    if (!std::isfinite(y)) {
      flush();
      open = false;
      continue;
    }
    if (!open) runs.emplace_back();
    open = true;
    const std::uint64_t here = column_of(x, bounds, columns);
    if (filled && here != column) flush();
    if (!filled) kept = {point, point, point, point};
    column = here;
    filled = true;
    if (y < y_at(curve, series, kept[1])) kept[1] = point;
    if (y > y_at(curve, series, kept[2])) kept[2] = point;
    kept[3] = point;
  }
  flush();
  return runs;
}

std::vector<CurveMark> marks_of(const CurveExhibit& curve, std::size_t series,
                                std::uint64_t columns) {
  const CurveBounds bounds = bounds_of(curve);
  std::vector<CurveMark> marks;
  std::array<std::optional<std::uint64_t>, 3> last;  // column of the last mark, by kind
  for (std::uint64_t point = 0; point < points_of(curve); ++point) {
    const double x = x_at(curve, point), y = y_at(curve, series, point);
    if (!std::isfinite(x) || std::isfinite(y)) continue;
    const CurveMark mark{point, kind_of(y)};
    auto& before = last[static_cast<std::size_t>(mark.kind)];
    const std::uint64_t column = column_of(x, bounds, columns);
    if (before == column) continue;
    before = column;
    marks.push_back(mark);
  }
  return marks;
}

std::optional<double> limit_of(const CurveExhibit& curve, std::size_t series, bool right) {
  for (std::uint64_t point = 0; point < points_of(curve); ++point) {
    const double x = x_at(curve, point);
    if (!std::isinf(x) || (x > 0) != right) continue;
    const double y = y_at(curve, series, point);
    if (std::isfinite(y)) return y;
  }
  return {};
}

std::optional<CurveTangent> tangent_at(const CurveExhibit& curve, std::uint64_t point) {
  if (curve.series.empty() || point >= points_of(curve)) return {};
  const auto& slope = curve.series.front().slope;
  if (!slope) return {};
  const CurveTangent tangent{x_at(curve, point), y_at(curve, 0, point), y_at(curve, *slope, point)};
  if (!std::isfinite(tangent.x) || !std::isfinite(tangent.y) || !std::isfinite(tangent.slope))
    return {};
  return tangent;
}

std::pair<std::pair<double, double>, std::pair<double, double>> clipped_to(
    const CurveTangent& tangent, const CurveBounds& bounds) {
  // A fifth of the width to either side, less where it would leave the picture above or below.
  double left = std::max(bounds.left, tangent.x - (bounds.right / 5 - bounds.left / 5)),
         right = std::min(bounds.right, tangent.x + (bounds.right / 5 - bounds.left / 5));
  if (tangent.slope != 0) {
    const double at_low = tangent.x + (bounds.low - tangent.y) / tangent.slope,
                 at_high = tangent.x + (bounds.high - tangent.y) / tangent.slope;
    left = std::max(left, std::min(at_low, at_high));
    right = std::min(right, std::max(at_low, at_high));
  }
  const auto y = [&](double x) {
    return std::clamp(tangent.y + (x - tangent.x) * tangent.slope, bounds.low, bounds.high);
  };
  return {{left, y(left)}, {right, y(right)}};
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> extremes_of(const CurveExhibit& curve,
                                                                   std::size_t series) {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> found;
  for (std::uint64_t point = 0; point < points_of(curve); ++point) {
    const double y = y_at(curve, series, point);
    if (!std::isfinite(x_at(curve, point)) || !std::isfinite(y)) continue;
    if (!found) found = {point, point};
    if (y < y_at(curve, series, found->first)) found->first = point;
    if (y > y_at(curve, series, found->second)) found->second = point;
  }
  return found;
}

std::optional<std::uint64_t> nearest_point(const CurveExhibit& curve, double x) {
  std::optional<std::uint64_t> best;
  double distance = kInfinity;
  for (std::uint64_t point = 0; point < points_of(curve); ++point) {
    const double away = std::abs(x_at(curve, point) - x);
    if (!(away < distance)) continue;
    distance = away;
    best = point;
  }
  return best;
}

std::vector<std::uint64_t> rows_of(const CurveExhibit& curve, std::size_t most) {
  constexpr std::size_t kMostOutside = 4;
  const std::uint64_t points = points_of(curve);
  std::vector<std::uint64_t> rows, inside;
  for (std::uint64_t point = 0; point < points; ++point) {
    if (std::isfinite(x_at(curve, point)))
      inside.push_back(point);
    else if (rows.size() < kMostOutside)
      rows.push_back(point);
  }
  if (curve.chosen < points) rows.push_back(curve.chosen);
  for (std::size_t s = 0; s < curve.series.size() && rows.size() + 2 < most; ++s) {
    const auto marks = marks_of(curve, s, 1);
    for (const CurveMark& mark : marks) rows.push_back(mark.point);
  }
  const auto tidy = [&] {
    std::ranges::sort(rows);
    rows.erase(std::ranges::unique(rows).begin(), rows.end());
  };
  tidy();
  const std::size_t room = most > rows.size() ? most - rows.size() : 0;
  if (inside.size() <= room) {
    rows.insert(rows.end(), inside.begin(), inside.end());
  } else if (room >= 2) {
    for (std::size_t i = 0; i < room; ++i)
      rows.push_back(inside[i * (inside.size() - 1) / (room - 1)]);
  }
  tidy();
  return rows;
}

std::vector<double> ticks_of(double low, double high) {
  constexpr double kSteps = 7;
  const double span = high - low;
  if (!(span > 0) || !std::isfinite(span)) return {low, high};
  return multiples_of(round_step(span / kSteps), low, high);
}

std::string coordinate_text(double value) { return figure(value, 5); }

std::string variable_name(const CurveExhibit& curve, const Strings& strings) {
  return curve.variable.empty() ? "x" : strings(curve.variable);
}

}  // namespace warpbook::lab
