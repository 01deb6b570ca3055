#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg.hpp"

namespace warpbook::lab {
namespace {

constexpr double kHtmlRooflineWidth = 768, kHtmlRooflineHigh = 340, kHtmlRooflineLeft = 96,
                 kHtmlRooflineRight = 16, kHtmlRooflineTop = 12, kHtmlRooflineBottom = 46;
constexpr std::size_t kHtmlRooflineTableRows = 24, kHtmlRooflineDecades = 8;
constexpr unsigned kHtmlRooflineColours = 6;

class HtmlRooflinePicture {
 public:
  HtmlRooflinePicture(const RooflineExhibit& roofline, const Strings& strings)
      : roofline_(roofline), strings_(strings), bounds_(bounds_of(roofline)) {}

  std::string svg(const std::string& caption) {
    draw_axes();
    for (const RoofLine& line : roof_lines(roofline_, bounds_)) draw(line);
    draw_ridges();
    draw_l2();
    for (std::size_t i = 0; i < roofline_.points.size(); ++i) draw(i);
    return svg_open(kHtmlRooflineWidth, kHtmlRooflineHigh, caption) + svg_ + "</svg>";
  }

 private:
  [[nodiscard]] double across(double intensity) const {
    return kHtmlRooflineLeft +
           std::clamp(log_share(intensity, bounds_.left, bounds_.right), 0.0, 1.0) *
               (kHtmlRooflineWidth - kHtmlRooflineLeft - kHtmlRooflineRight);
  }
  [[nodiscard]] double down(double rate) const {
    return kHtmlRooflineTop +
           (1 - std::clamp(log_share(rate, bounds_.low, bounds_.high), 0.0, 1.0)) *
               (kHtmlRooflineHigh - kHtmlRooflineTop - kHtmlRooflineBottom);
  }

  void draw_axes() {
    for (const double rate : decades_of(bounds_.low, bounds_.high, kHtmlRooflineDecades)) {
      svg_ += svg_line("wb-grid", kHtmlRooflineLeft, down(rate),
                       kHtmlRooflineWidth - kHtmlRooflineRight, down(rate)) +
              svg_text("wb-y", kHtmlRooflineLeft - 8, down(rate) + 4, operation_rate(rate));
    }
    for (const double intensity : decades_of(bounds_.left, bounds_.right, kHtmlRooflineDecades)) {
      svg_ += svg_line("wb-grid", across(intensity), kHtmlRooflineTop, across(intensity),
                       kHtmlRooflineHigh - kHtmlRooflineBottom) +
              svg_text("wb-x", across(intensity), kHtmlRooflineHigh - kHtmlRooflineBottom + 16,
                       number(intensity, 3));
    }
    svg_ += svg_text("wb-x", (kHtmlRooflineLeft + kHtmlRooflineWidth - kHtmlRooflineRight) / 2,
                     kHtmlRooflineHigh - 8, strings_("roofline.axis"));
  }

  void draw(const RoofLine& line) {
    svg_ += svg_line(line.main ? "wb-roof" : "wb-roof wb-dash1", across(line.x1), down(line.y1),
                     across(line.x2), down(line.y2));
    const std::string name = part_name(line.part, strings_);
    if (line.memory) {
      const double x = (across(line.x1) + across(line.x2)) / 2,
                   y = (down(line.y1) + down(line.y2)) / 2;
      svg_ += svg_text(line.main ? "wb-over" : "wb-before", line.main ? x + 10 : x - 10,
                       line.main ? y + 14 : y - 6, name);
    } else if (line.x2 >= bounds_.right) {
      svg_ +=
          svg_text("wb-y", kHtmlRooflineWidth - kHtmlRooflineRight - 4, down(line.y1) - 6, name);
    }
  }

  void draw_ridges() {
    for (const std::uint32_t c : drawn_ceilings(roofline_)) {
      const double x = across(ridge_of(roofline_, c)), y = down(ceiling_rate(roofline_, c));
      svg_ += svg_line("wb-roof wb-dash2", x, y, x, kHtmlRooflineHigh - kHtmlRooflineBottom) +
              svg_text("wb-over", x + 6, kHtmlRooflineHigh - kHtmlRooflineBottom - 6,
                       strings_("roofline.ridge", {{"ridge", number(ridge_of(roofline_, c), 3)}}));
    }
  }

  /// The same run by the bytes that L2 moves: a ring beside the chosen point's dot.
  void draw_l2() {
    if (roofline_.chosen >= roofline_.points.size()) return;
    const RooflineExhibit::Point& point = roofline_.points[roofline_.chosen];
    if (!is_drawn(point) || !std::isfinite(intensity_at_l2(point))) return;
    const double x = across(intensity_at_l2(point)), y = down(rate_of(point));
    svg_ += svg_line("wb-band wb-dash2 " + colour(roofline_.chosen), x, y,
                     across(intensity_of(point)), y) +
            "<circle class=\"wb-ring " + colour(roofline_.chosen) + "\" cx=\"" + coordinate(x) +
            "\" cy=\"" + coordinate(y) + "\" r=\"5\"/>" +
            svg_text("wb-x", x, y + 20, part_name("l2", strings_));
  }

  static std::string colour(std::size_t point) {
    return "wb-c" + std::to_string(point % kHtmlRooflineColours);
  }

  void draw(std::size_t i) {
    const RooflineExhibit::Point& point = roofline_.points[i];
    if (!is_drawn(point)) return;
    const double x = across(intensity_of(point)), y = down(rate_of(point));
    if (point.low > 0 && point.high > point.low && std::isfinite(point.high)) {
      svg_ += svg_line("wb-band " + colour(i), x, down(point.operations / point.high), x,
                       down(point.operations / point.low));
    }
    svg_ += "<circle class=\"" + colour(i) + "\" cx=\"" + coordinate(x) + "\" cy=\"" +
            coordinate(y) + "\" r=\"5\"/>";
    // Signs of points that lie together stand side by side.
    double right = x + 9;
    for (const auto& [at, above] : signs_) {
      if (std::abs(above - y) < 14 && right > at - 16 && right < at + 16) right = at + 16;
    }
    signs_.emplace_back(right, y);
    svg_ += svg_text("wb-sign", right, y - 6, point_sign(i));
  }

  const RooflineExhibit& roofline_;
  const Strings& strings_;
  RooflineBounds bounds_;
  std::vector<std::pair<double, double>> signs_;
  std::string svg_;
};

std::string table(const RooflineExhibit& roofline, const Strings& strings) {
  std::string rows;
  const std::size_t shown = std::min(roofline.points.size(), kHtmlRooflineTableRows);
  for (std::size_t i = 0; i < shown; ++i) {
    std::string cells;
    for (const std::string& cell : row_of(roofline, i, strings))
      cells += tagged("td", "", escaped(cell));
    rows += tagged("tr", i == roofline.chosen ? "wb-chosen-row" : "", cells);
  }
  std::string html =
      tagged("table", "wb-table", table_head(row_head(strings)) + tagged("tbody", "", rows));
  if (shown < roofline.points.size())
    html += tagged("p", "wb-more",
                   escaped(counted(strings, "roofline.more", roofline.points.size() - shown)));
  return html;
}

}  // namespace

std::string html_body(const RooflineExhibit& roofline, const Strings& strings,
                      const std::string& caption) {
  if (roofline.points.empty()) return {};
  std::string html;
  if (bounds_of(roofline).any) html = HtmlRooflinePicture(roofline, strings).svg(caption);
  return html + table(roofline, strings);
}

}  // namespace warpbook::lab
