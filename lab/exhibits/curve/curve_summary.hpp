// Curves: how they are made of a kernel's arrays, and what their renderers share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/curve/curve.hpp"

namespace warpbook::lab {

/// `x` and each series' values are whole arrays; points are made of the elements that all of them have. Where these are
/// many, each of several hundred pieces of the x axis keeps its first and last element, each series' least and greatest,
/// and its first NaN and first infinity of either sign. `chosen` is an element and always kept.
CurveExhibit curve_of(Message variable, const TensorExhibit& x,
                      std::vector<CurveExhibit::Series> series, std::uint64_t chosen);

std::uint64_t points_of(const CurveExhibit& curve);
double x_at(const CurveExhibit& curve, std::uint64_t point);
double y_at(const CurveExhibit& curve, std::size_t series, std::uint64_t point);

/// The finite part of the plane that the curves and their nearby limits lie in, widened where all x or all y are alike.
struct CurveBounds {
  double left = 0, right = 0, low = 0, high = 0;
  bool any = false;  ///< a point is finite in both
};
CurveBounds bounds_of(const CurveExhibit& curve);
/// The part of the plane that holds both.
CurveBounds joined(const CurveBounds& a, const CurveBounds& b);
/// Where `value` lies between `low` (0) and `high` (1), whatever their size.
double share_of(double value, double low, double high);

/// Points to be joined, from left to right; a run ends where a NaN or an infinity lies between. Of each of `columns` equal
/// pieces of the x axis a run has at most its first, its last, its least and its greatest point.
std::vector<std::vector<std::uint64_t>> runs_of(const CurveExhibit& curve, std::size_t series,
                                                std::uint64_t columns);

/// A finite x whose value is no finite number.
struct CurveMark {
  enum class Kind : std::uint8_t { nan, above, below };  ///< above, below: an infinity
  std::uint64_t point = 0;
  Kind kind = Kind::nan;
};
/// The first of each kind in each of `columns` pieces of the x axis.
std::vector<CurveMark> marks_of(const CurveExhibit& curve, std::size_t series,
                                std::uint64_t columns);

/// The value at x = infinity, or at minus infinity; none where no kernel computed it, or it is not finite.
std::optional<double> limit_of(const CurveExhibit& curve, std::size_t series, bool right);

/// The first series' tangent at a point: its value and its slope there, both as computed.
struct CurveTangent {
  double x = 0, y = 0, slope = 0;
};
std::optional<CurveTangent> tangent_at(const CurveExhibit& curve, std::uint64_t point);
/// The part of a tangent that lies within the bounds: from and to, as x and y.
std::pair<std::pair<double, double>, std::pair<double, double>> clipped_to(
    const CurveTangent& tangent, const CurveBounds& bounds);

/// Points of the least and the greatest value among finite x; none where no value is finite.
std::optional<std::pair<std::uint64_t, std::uint64_t>> extremes_of(const CurveExhibit& curve,
                                                                   std::size_t series);

/// The finite x nearest to `x`.
std::optional<std::uint64_t> nearest_point(const CurveExhibit& curve, double x);

/// At most `most` points for a table, in order: all that are infinite or NaN in x (a few), the chosen one, what is first
/// not finite, and others evenly.
std::vector<std::uint64_t> rows_of(const CurveExhibit& curve, std::size_t most);

/// Round numbers from low to high, a handful.
std::vector<double> ticks_of(double low, double high);
/// A coordinate as readers see it.
std::string coordinate_text(double value);

/// "x" where the curve does not say.
std::string variable_name(const CurveExhibit& curve, const Strings& strings);

}  // namespace warpbook::lab
