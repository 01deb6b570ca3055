#include <algorithm>
#include <cmath>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kRows = 15, kMostColumns = 88, kLabel = 10;
constexpr std::size_t kTableRows = 12;
/// A sign for each series; further ones begin anew.
constexpr std::string_view kSigns = "*o+x#%";
constexpr char kChosen = '@';

/// Signs on a grid: a point lies in the cell that its coordinates fall in. Nothing is drawn between points.
class TextCurvePlot {
 public:
  TextCurvePlot(const CurveExhibit& curve, int columns)
      : curve_(curve),
        bounds_(bounds_of(curve)),
        columns_(columns),
        rows_(kRows, std::string(static_cast<std::size_t>(columns), ' ')) {
    if (bounds_.low < 0 && bounds_.high > 0)
      rows_[row_of(0)] = std::string(static_cast<std::size_t>(columns), '.');
    for (std::size_t s = curve.series.size(); s-- > 0;) draw(s);  // the first lies on top
    draw_chosen();
  }

  void print(Page& page) const {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      page.line("  " + page.ink(Ink::quiet, padded_left(label(row), kLabel)) + " |" +
                page.ink(Ink::plain, rows_[row]));
    }
    const std::string indent(2 + kLabel + 1, ' ');
    page.line(indent + "+" + std::string(static_cast<std::size_t>(columns_), '-'));
    const std::string left = coordinate_text(bounds_.left), right = coordinate_text(bounds_.right);
    const int room = columns_ - static_cast<int>(left.size()) - static_cast<int>(right.size());
    page.line(
        indent + " " +
        page.ink(Ink::quiet,
                 left + std::string(static_cast<std::size_t>(std::max(1, room)), ' ') + right));
  }

 private:
  [[nodiscard]] std::size_t column_of(double x) const {
    return static_cast<std::size_t>(std::lround(
        std::clamp(share_of(x, bounds_.left, bounds_.right), 0.0, 1.0) * (columns_ - 1)));
  }
  [[nodiscard]] std::size_t row_of(double y) const {
    return static_cast<std::size_t>(std::lround(
        (1 - std::clamp(share_of(y, bounds_.low, bounds_.high), 0.0, 1.0)) * (kRows - 1)));
  }
  [[nodiscard]] std::string label(std::size_t row) const {
    if (row == 0) return coordinate_text(bounds_.high);
    if (row + 1 == rows_.size()) return coordinate_text(bounds_.low);
    if (bounds_.low < 0 && bounds_.high > 0 && row == row_of(0)) return "0";
    return {};
  }

  void draw(std::size_t s) {
    const char sign = kSigns[s % kSigns.size()];
    for (const auto& run : runs_of(curve_, s, static_cast<std::uint64_t>(columns_))) {
      for (const std::uint64_t point : run)
        rows_[row_of(y_at(curve_, s, point))][column_of(x_at(curve_, point))] = sign;
    }
    for (const CurveMark& mark : marks_of(curve_, s, static_cast<std::uint64_t>(columns_))) {
      const bool above = mark.kind == CurveMark::Kind::above;
      const char shown = above ? '^' : mark.kind == CurveMark::Kind::below ? 'v' : '?';
      (above ? rows_.front() : rows_.back())[column_of(x_at(curve_, mark.point))] = shown;
    }
  }

  void draw_chosen() {
    if (curve_.chosen >= points_of(curve_) || curve_.series.empty()) return;
    const double x = x_at(curve_, curve_.chosen), y = y_at(curve_, 0, curve_.chosen);
    if (std::isfinite(x) && std::isfinite(y)) rows_[row_of(y)][column_of(x)] = kChosen;
  }

  const CurveExhibit& curve_;
  CurveBounds bounds_;
  int columns_;
  std::vector<std::string> rows_;
};

std::string text_legend(const CurveExhibit& curve, const Strings& strings) {
  std::string text;
  for (std::size_t s = 0; s < curve.series.size(); ++s)
    text += std::string(1, kSigns[s % kSigns.size()]) + " " + strings(curve.series[s].name) + "   ";
  if (curve.chosen < points_of(curve)) {
    text += std::string(1, kChosen) + " " + variable_name(curve, strings) + " = " +
            coordinate_text(x_at(curve, curve.chosen)) + "   ";
  }
  bool marked = false;
  for (std::size_t s = 0; s < curve.series.size(); ++s) marked |= !marks_of(curve, s, 1).empty();
  return marked ? text + strings("curve.signs") : text;
}

void table(const CurveExhibit& curve, const Strings& strings, Page& page) {
  std::vector<std::vector<std::string>> rows{{variable_name(curve, strings)}};
  for (const CurveExhibit::Series& series : curve.series)
    rows.front().push_back(strings(series.name));
  const std::vector<std::uint64_t> points = rows_of(curve, kTableRows);
  for (const std::uint64_t point : points) {
    rows.push_back({coordinate_text(x_at(curve, point))});
    for (std::size_t s = 0; s < curve.series.size(); ++s)
      rows.back().push_back(coordinate_text(y_at(curve, s, point)));
  }
  text_rows(rows, page, {}, [&](std::size_t row) {
    return row > 0 && points[row - 1] == curve.chosen ? std::string(" ") + kChosen : "";
  });
  if (points.size() < points_of(curve))
    page.paragraph(counted(strings, "curve.more", points_of(curve) - points.size()), 2, Ink::quiet);
}

}  // namespace

void text_body(const CurveExhibit& curve, const Strings& strings, Page& page) {
  if (points_of(curve) == 0 || curve.series.empty()) return;
  page.paragraph(text_legend(curve, strings), 2, Ink::quiet);
  if (bounds_of(curve).any)
    TextCurvePlot(curve, std::clamp(page.width() - kLabel - 6, 8, kMostColumns)).print(page);
  page.line();
  table(curve, strings, page);
}

}  // namespace warpbook::lab
