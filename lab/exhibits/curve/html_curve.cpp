#include <algorithm>
#include <cmath>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg.hpp"

namespace warpbook::lab {
namespace {

constexpr double kHtmlCurveWidth = 768, kHtmlCurveHigh = 300, kHtmlCurveLeft = 72,
                 kHtmlCurveRight = 16, kHtmlCurveTop = 12, kHtmlCurveBottom = 28;
constexpr std::uint64_t kHtmlCurveColumns = 340;  ///< of the picture, two points wide
constexpr std::size_t kHtmlCurveTableRows = 16, kFewPoints = 40;
constexpr unsigned kHtmlCurveColours = 6;

/// A series' colour and dashes.
std::string colour(std::size_t s) {
  return "wb-c" + std::to_string(s % kHtmlCurveColours) + " wb-dash" + std::to_string(s % 3);
}

class HtmlCurvePicture {
 public:
  HtmlCurvePicture(const CurveExhibit& curve, const CurveExhibit* beside)
      : curve_(curve),
        bounds_(beside ? joined(bounds_of(curve), bounds_of(*beside)) : bounds_of(curve)) {}

  std::string svg(const std::string& caption) {
    draw_axes();
    for (std::size_t s = 0; s < curve_.series.size(); ++s) draw_limits(s);
    for (std::size_t s = 0; s < curve_.series.size(); ++s) draw(s);
    draw_tangent();
    return svg_open(kHtmlCurveWidth, kHtmlCurveHigh, caption) + svg_ + "</svg>";
  }

 private:
  [[nodiscard]] double across(double x) const {
    return kHtmlCurveLeft + share_of(x, bounds_.left, bounds_.right) *
                                (kHtmlCurveWidth - kHtmlCurveLeft - kHtmlCurveRight);
  }
  [[nodiscard]] double down(double y) const {
    return kHtmlCurveTop + (1 - share_of(y, bounds_.low, bounds_.high)) *
                               (kHtmlCurveHigh - kHtmlCurveTop - kHtmlCurveBottom);
  }

  void draw_axes() {
    for (const double y : ticks_of(bounds_.low, bounds_.high)) {
      svg_ += svg_line(y == 0 ? "wb-axis" : "wb-grid", kHtmlCurveLeft, down(y),
                       kHtmlCurveWidth - kHtmlCurveRight, down(y)) +
              svg_text("wb-y", kHtmlCurveLeft - 8, down(y) + 4, coordinate_text(y));
    }
    for (const double x : ticks_of(bounds_.left, bounds_.right)) {
      svg_ +=
          svg_line(x == 0 ? "wb-axis" : "wb-grid", across(x), kHtmlCurveTop, across(x),
                   kHtmlCurveHigh - kHtmlCurveBottom) +
          svg_text("wb-x", across(x), kHtmlCurveHigh - kHtmlCurveBottom + 18, coordinate_text(x));
    }
  }

  /// The value at an infinite x, at that edge of the picture.
  void draw_limits(std::size_t s) {
    for (const bool right : {false, true}) {
      const auto limit = limit_of(curve_, s, right);
      if (!limit || *limit < bounds_.low || *limit > bounds_.high) continue;
      const double edge = right ? kHtmlCurveWidth - kHtmlCurveRight : kHtmlCurveLeft,
                   reach = right ? -120 : 120;
      svg_ += svg_line("wb-limit " + colour(s), edge, down(*limit), edge + reach, down(*limit));
    }
  }

  [[nodiscard]] std::string dot(const std::string& css, std::size_t s, std::uint64_t point,
                                double radius) const {
    return "<circle class=\"" + css + "\" cx=\"" + coordinate(across(x_at(curve_, point))) +
           "\" cy=\"" + coordinate(down(y_at(curve_, s, point))) + "\" r=\"" + coordinate(radius) +
           "\"/>";
  }

  void draw(std::size_t s) {
    const bool few = points_of(curve_) <= kFewPoints;  // then each is seen, not the line alone
    for (const auto& run : runs_of(curve_, s, kHtmlCurveColumns)) {
      std::string points;
      for (const std::uint64_t point : run) {
        points += coordinate(across(x_at(curve_, point))) + "," +
                  coordinate(down(y_at(curve_, s, point))) + " ";
        if (few || run.size() == 1) svg_ += dot(colour(s), s, point, 3);
      }
      points.pop_back();
      if (run.size() > 1)
        svg_ += "<polyline class=\"wb-curve-line " + colour(s) + "\" points=\"" + points + "\"/>";
    }
    double free = 0;
    for (const CurveMark& mark : marks_of(curve_, s, kHtmlCurveColumns)) draw_mark(mark, free);
  }

  /// A sign at the edge; what it means is written where there is room.
  void draw_mark(const CurveMark& mark, double& free) {
    const bool above = mark.kind == CurveMark::Kind::above;
    const double x = across(x_at(curve_, mark.point)),
                 y = above ? kHtmlCurveTop : kHtmlCurveHigh - kHtmlCurveBottom,
                 tip = above ? 8 : -8;
    const auto at = [](double px, double py) {
      return coordinate(px) + "," + coordinate(py) + " ";
    };
    svg_ += mark.kind == CurveMark::Kind::nan
                ? svg_line("wb-gap", x - 3, y - 6, x + 3, y) +
                      svg_line("wb-gap", x - 3, y, x + 3, y - 6)
                : "<polygon class=\"wb-gap\" points=\"" + at(x, y) + at(x - 4, y + tip) +
                      at(x + 4, y + tip) + "\"/>";
    if (x < free) return;
    const std::string sign = above ? "+∞" : mark.kind == CurveMark::Kind::below ? "−∞" : "NaN";
    svg_ += svg_text("wb-gap", x + 8, above ? y + 22 : y - 12, sign);
    free = x + 44;
  }

  void draw_tangent() {
    const auto tangent = tangent_at(curve_, curve_.chosen);
    if (!tangent) return;
    const auto [from, to] = clipped_to(*tangent, bounds_);
    svg_ += svg_line("wb-tangent", across(from.first), down(from.second), across(to.first),
                     down(to.second)) +
            "<circle class=\"wb-chosen\" cx=\"" + coordinate(across(tangent->x)) + "\" cy=\"" +
            coordinate(down(tangent->y)) + "\" r=\"5\"/>";
  }

  const CurveExhibit& curve_;
  CurveBounds bounds_;
  std::string svg_;
};

std::string html_legend(const CurveExhibit& curve, const Strings& strings) {
  std::string items;
  for (std::size_t s = 0; s < curve.series.size(); ++s) {
    items += tagged("li", "",
                    "<svg width=\"36\" height=\"10\" aria-hidden=\"true\">" +
                        svg_line("wb-curve-line " + colour(s), 0, 5, 36, 5) + "</svg> " +
                        escaped(strings(curve.series[s].name)));
  }
  return tagged("ul", "wb-legend", items);
}

std::string table(const CurveExhibit& curve, const Strings& strings) {
  std::vector<std::string> head{variable_name(curve, strings)};
  for (const CurveExhibit::Series& series : curve.series) head.push_back(strings(series.name));
  std::string rows;
  const std::vector<std::uint64_t> points = rows_of(curve, kHtmlCurveTableRows);
  for (const std::uint64_t point : points) {
    std::string cells = tagged("td", "", escaped(coordinate_text(x_at(curve, point))));
    for (std::size_t s = 0; s < curve.series.size(); ++s) {
      const double y = y_at(curve, s, point);
      const bool gap = !std::isfinite(y) && std::isfinite(x_at(curve, point));
      cells += tagged("td", gap ? "wb-wrong" : "", escaped(coordinate_text(y)));
    }
    rows += tagged("tr", point == curve.chosen ? "wb-chosen-row" : "", cells);
  }
  std::string html = tagged("table", "wb-table", table_head(head) + tagged("tbody", "", rows));
  if (points.size() < points_of(curve))
    html += tagged("p", "wb-more",
                   escaped(counted(strings, "curve.more", points_of(curve) - points.size())));
  return html;
}

}  // namespace

std::string html_body(const CurveExhibit& curve, const CurveExhibit* beside, const Strings& strings,
                      const std::string& caption) {
  if (points_of(curve) == 0 || curve.series.empty()) return {};
  std::string html = html_legend(curve, strings);
  if (bounds_of(curve).any) html += HtmlCurvePicture(curve, beside).svg(caption);
  return html + table(curve, strings);
}

}  // namespace warpbook::lab
