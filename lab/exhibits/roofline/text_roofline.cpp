#include <algorithm>
#include <cmath>

#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/markup/axis.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kRows = 15, kMostColumns = 88, kLabel = 12;
constexpr std::size_t kTableRows = 24, kDecades = 6, kNameColumn = 1;

/// Signs on a grid of logarithmic axes: the roofs, and a letter for each point.
class TextRooflinePlot {
 public:
  TextRooflinePlot(const RooflineExhibit& roofline, int columns)
      : bounds_(bounds_of(roofline)),
        memory_(axis_memory(roofline)),
        columns_(columns),
        rows_(kRows, std::string(static_cast<std::size_t>(columns), ' ')) {
    for (const RoofLine& line : roof_lines(roofline, bounds_)) draw(line);
    for (std::size_t i = roofline.points.size(); i-- > 0;) {  // the first lies on top
      const RooflineExhibit::Point& point = roofline.points[i];
      if (is_drawn(roofline, point))
        rows_[row_of(rate_of(point))][column_of(intensity_of(roofline, point))] =
            point_sign(i).front();
    }
  }

  void print(const Strings& strings, Page& page) const {
    std::vector<std::string> labels(kRows);
    for (const double rate : decades_of(bounds_.low, bounds_.high, kDecades))
      labels[row_of(rate)] = operation_rate(rate);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      page.line("  " + page.ink(Ink::quiet, padded_left(labels[row], kLabel)) + " |" +
                page.ink(Ink::plain, rows_[row]));
    }
    const std::string indent(2 + kLabel + 1, ' ');
    page.line(indent + "+" + std::string(static_cast<std::size_t>(columns_), '-'));
    std::string scale(static_cast<std::size_t>(columns_), ' ');
    for (const double intensity : decades_of(bounds_.left, bounds_.right, kDecades)) {
      const std::string text = number(intensity, 3);
      const std::size_t at = column_of(intensity);
      if (at + text.size() <= scale.size()) scale.replace(at, text.size(), text);
    }
    page.line(indent + " " + page.ink(Ink::quiet, scale));
    page.paragraph(strings("roofline.signs", {{"memory", part_name(memory_, strings)}}), 2,
                   Ink::quiet);
  }

 private:
  [[nodiscard]] std::size_t column_of(double intensity) const {
    return static_cast<std::size_t>(std::lround(
        std::clamp(log_share(intensity, bounds_.left, bounds_.right), 0.0, 1.0) * (columns_ - 1)));
  }
  [[nodiscard]] std::size_t row_of(double rate) const {
    return static_cast<std::size_t>(std::lround(
        (1 - std::clamp(log_share(rate, bounds_.low, bounds_.high), 0.0, 1.0)) * (kRows - 1)));
  }

  void draw(const RoofLine& line) {
    const std::size_t from = column_of(line.x1), to = column_of(line.x2);
    for (std::size_t column = from; column <= to; ++column) {
      const double share =
          to == from ? 0 : static_cast<double>(column - from) / static_cast<double>(to - from);
      char& cell = rows_[row_of(line.y1 * std::pow(line.y2 / line.y1, share))][column];
      if (line.main)
        cell = line.memory ? '/' : '=';
      else if (cell == ' ')
        cell = '.';
    }
  }

  RooflineBounds bounds_;
  std::string memory_;  // of the axis
  int columns_;
  std::vector<std::string> rows_;
};

}  // namespace

void text_body(const RooflineExhibit& roofline, const Strings& strings, Page& page) {
  if (roofline.points.empty()) return;
  if (bounds_of(roofline).any)
    TextRooflinePlot(roofline, std::clamp(page.width() - kLabel - 6, 8, kMostColumns))
        .print(strings, page);
  std::vector<std::vector<std::string>> rows{row_head(strings)};
  const std::size_t shown = std::min(roofline.points.size(), kTableRows);
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(row_of(roofline, i, strings));
  text_rows(rows, page, kNameColumn);
  if (shown < roofline.points.size())
    page.paragraph(counted(strings, "roofline.more", roofline.points.size() - shown), 2,
                   Ink::quiet);
  if (!drawn_ceilings(roofline).empty())
    page.paragraph(roofs_text(roofline, strings), 2, Ink::quiet);
}

}  // namespace warpbook::lab
