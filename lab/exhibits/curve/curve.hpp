// Functions of one variable at the points where a kernel computed them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// What a curve holds at most: of longer arrays curve_of() keeps what makes up the picture.
inline constexpr std::uint64_t kMostCurvePoints = 32768;
/// Functions of one variable at the points where a kernel computed them, never from a formula.
struct CurveExhibit {
  static constexpr std::string_view kKind = "curve";
  struct Series {
    Message name;
    TensorExhibit values;                    ///< by point
    std::optional<std::uint32_t> slope;      ///< which of series is its slope
    std::uint64_t nans = 0, infinities = 0;  ///< among all elements whose x is finite
    friend bool operator==(const Series&, const Series&) = default;
  };
  Message variable;                    ///< what x is
  TensorExhibit x;                     ///< by point: ascending, infinities at the ends, NaN last
  std::vector<std::uint64_t> element;  ///< by point: its index in the kernel's arrays
  /// Of these arrays; where there are fewer points, they were chosen so that none of the extremes is missing.
  std::uint64_t elements = 0;
  std::vector<Series> series;
  std::uint64_t chosen = 0;  ///< the point that is shown with its tangent; as many as points: none
  friend bool operator==(const CurveExhibit&, const CurveExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<CurveExhibit::Series> auto& v) {
  visit("name", v.name);
  visit("values", v.values);
  visit("slope", v.slope);
  visit("nans", v.nans);
  visit("infinities", v.infinities);
}

template <class V>
void fields(V&& visit, Is<CurveExhibit> auto& v) {
  visit("variable", v.variable);
  visit("x", v.x);
  visit("element", v.element);
  visit("elements", v.elements);
  visit("series", v.series);
  visit("chosen", v.chosen);
}
/// Every series has one value for each point.
bool valid(const CurveExhibit& v);

void extras(JsonExtras& json, const CurveExhibit& curve);

std::string sentence_of(const CurveExhibit& curve, const Strings& strings);
void text_body(const CurveExhibit& curve, const Strings& strings, Page& page);
std::string html_body(const CurveExhibit& curve, const CurveExhibit* beside, const Strings& strings,
                      const std::string& caption);
Table table_of(const CurveExhibit& curve, const Strings& strings);
void compare(const CurveExhibit& a, const CurveExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
