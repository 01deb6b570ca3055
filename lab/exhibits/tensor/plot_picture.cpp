#include "lab/exhibits/tensor/plot_picture.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

constexpr double kTensorPlotHigh = 150, kTensorPlotPad = 8, kTensorPlotColumn = 2,
                 kTensorPlotDot = 2.5;
constexpr std::size_t kMostPlotDots = 80, kMostPlotSigns = 48;
constexpr Letters kPlotLetters{Letters::Face::mono, 12};

class PlotDrawing {
 public:
  PlotDrawing(const std::vector<TensorColumn>& columns, const TensorScale& scale,
              const PlotLayout& layout, std::optional<std::uint64_t> marked, const Canvas& canvas)
      : columns_(columns), scale_(scale), area_(layout.area), step_(layout.step) {
    drawing_.width = canvas.width;
    drawing_.height = area_.bottom();
    drawing_.rectangle(area_, Role::s1, 3);
    place_marks();
    if (!columns.empty() && columns.front().count > 1)
      place_ranges();
    else
      place_line();
    place_ends();
    if (marked && !columns.empty()) place_marked(*marked);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] double left_of(std::size_t column) const {
    return area_.x + static_cast<double>(column) * step_;
  }
  [[nodiscard]] double middle_of(std::size_t column) const { return left_of(column) + step_ / 2; }
  [[nodiscard]] double y_of(double value) const {
    return area_.y + kTensorPlotPad +
           (1 - scale_.share(value)) * (area_.height - 2 * kTensorPlotPad);
  }

  /// A tint over the columns, neighbours that look the same as one; the sign below where there is room for it.
  void place_marks() {
    std::size_t signs = 0;
    for (std::size_t i = 0; i < columns_.size();) {
      const TensorMarks marks = columns_[i].marks;
      std::size_t past = i + 1;
      while (past < columns_.size() && columns_[past].marks == marks) ++past;
      if (marks != TensorMarks{}) {
        const Area at{left_of(i), area_.y, left_of(past) - left_of(i), area_.height};
        const bool bad = marks.wrong || marks.nan;
        drawing_.rectangle(at, bad ? Role::bad_tint : Role::warn_tint).id =
            ItemId{marks.wrong ? "wrong"
                   : marks.nan ? "nan"
                               : "infinite",
                   i};
        if (signs++ < kMostPlotSigns) {
          drawing_.text({at.middle().x, at.bottom() - 9},
                        marks.wrong ? "!"
                        : marks.nan ? "×"
                                    : "∞",
                        kPlotLetters, bad ? Role::bad : Role::warn, Anchor::middle);
        }
      }
      i = past;
    }
  }

  /// The line breaks where there is no number.
  void place_line() {
    std::vector<Point> points;
    const auto break_off = [&] {
      if (points.size() > 1) drawing_.polyline(points, {category(0), 1.5});
      points.clear();
    };
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].any_finite) {
        break_off();
        continue;
      }
      points.push_back({middle_of(i), y_of(columns_[i].low)});
      if (columns_.size() <= kMostPlotDots)
        drawing_.circle(points.back(), kTensorPlotDot, category(0));
    }
    break_off();
  }

  void place_ranges() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].any_finite) continue;
      const double top = y_of(columns_[i].high) - 0.75, bottom = y_of(columns_[i].low) + 0.75;
      drawing_.rectangle({left_of(i), top, step_, bottom - top}, category(0));
    }
  }

  void place_ends() {
    const auto write = [&](double value) {
      drawing_.text({area_.x - 6, y_of(value)}, figure(value), kPlotLetters, Role::t3,
                    Anchor::right);
    };
    write(scale_.high);
    if (scale_.high > scale_.low) write(scale_.low);
    if (scale_.low < 0 && scale_.high > 0)
      drawing_.line({area_.x, y_of(0)}, {area_.right(), y_of(0)}, {Role::line});
  }

  void place_marked(std::uint64_t element) {
    const double x = middle_of(
        std::min(columns_.size() - 1, static_cast<std::size_t>(element / columns_.front().count)));
    drawing_.line({x, area_.y}, {x, area_.bottom()}, {Role::accent, 1.5});
  }

  const std::vector<TensorColumn>& columns_;
  const TensorScale& scale_;
  const Area& area_;
  double step_;
  Drawing drawing_;
};

}  // namespace

std::uint64_t plot_columns(double width) {
  return static_cast<std::uint64_t>(std::max(1.0, width / kTensorPlotColumn));
}

PlotLayout::PlotLayout(const std::vector<TensorColumn>& all, const TensorScale& scale,
                       const Canvas& canvas)
    : columns(all.size()) {
  const double margin = 8 + std::max(canvas.text_width(kPlotLetters, figure(scale.low)),
                                     canvas.text_width(kPlotLetters, figure(scale.high)));
  area = {margin, 0, std::max(1.0, canvas.width - margin), kTensorPlotHigh};
  if (columns != 0) step = area.width / static_cast<double>(columns);
}

std::optional<std::size_t> PlotLayout::column_at(const Point& point) const {
  if (columns == 0) return {};
  const double at = std::max(0.0, (point.x - area.x) / step);
  return std::min(columns - 1, static_cast<std::size_t>(at));
}

Drawing drawing_of(const std::vector<TensorColumn>& columns, const TensorScale& scale,
                   const PlotLayout& layout, std::optional<std::uint64_t> marked,
                   const Canvas& canvas) {
  return PlotDrawing(columns, scale, layout, marked, canvas).take();
}

}  // namespace warpbook::lab
