// A tensor as a plot: a line through its elements in their order, or a column from the least to the greatest of several.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/tensor/tensor_views.hpp"

namespace warpbook::gui {
namespace {
constexpr float kTensorPlotHeight = 150, kTensorPlotLine = 24, kColumn = 2, kTensorPlotDot = 2.5f;
constexpr std::size_t kMostDots = 80, kMostSigns = 48;

class Plot {
 public:
  explicit Plot(const TensorFrame& place)
      : place_(place),
        ui_(place.ui()),
        ink_(place.ui().ink()),
        columns_(columns()),
        scale_(scale_of(place)) {
    const Type type = axis();
    margin_ = std::max(ink_.width(type, lab::figure(scale_.low)),
                       ink_.width(type, lab::figure(scale_.high))) +
              8;
    left_ = place.corner.x + margin_;
    width_ = std::max(1.0f, place.width - margin_);
    step_ = columns_.empty() ? 1 : width_ / static_cast<float>(columns_.size());
  }

  [[nodiscard]] float draw() const {
    if (place_.draw()) {
      const ImVec2 min{left_, place_.corner.y}, max{left_ + width_, min.y + kTensorPlotHeight};
      ink_.fill(min, max, ui_.theme.s1, measure::kCellRadius);
      draw_marks();
      if (thinned())
        draw_ranges();
      else
        draw_line();
      draw_ends();
      say_element(place_, max.y + kTensorPlotLine / 2, point());
    }
    float used = kTensorPlotHeight + kTensorPlotLine;
    used += say_shared_scale(place_, place_.corner.y + used);
    used += say_marks(place_, place_.corner.y + used, marks());
    if (thinned()) {
      used += words({ui_, {place_.corner.x, place_.corner.y + used}, place_.width, place_.draw()},
                    ui_.tr("tensor.step.plot", {{"step", lab::grouped(columns_.front().count)}}),
                    ui_.caption_style());
    }
    return used;
  }

 private:
  [[nodiscard]] const std::vector<lab::TensorColumn>& columns() const {
    const auto most = static_cast<std::uint64_t>(std::max(1.0f, place_.width / kColumn));
    return ui_.cache.get<std::vector<lab::TensorColumn>>(
        place_.tensor.data.data(), kept_as(TensorPart::plot, lab::TensorExhibit::View::plot, most),
        [&] { return lab::plot_of(place_.tensor, most); });
  }
  [[nodiscard]] bool thinned() const { return !columns_.empty() && columns_.front().count > 1; }
  [[nodiscard]] lab::TensorMarks marks() const {
    lab::TensorMarks any;
    for (const lab::TensorColumn& column : columns_) {
      any.nan |= column.marks.nan;
      any.infinite |= column.marks.infinite;
      any.wrong |= column.marks.wrong;
    }
    return any;
  }
  [[nodiscard]] Type axis() const { return {Face::mono, 12, ui_.theme.t3}; }
  [[nodiscard]] float x_of(std::size_t column) const {
    return left_ + (static_cast<float>(column) + 0.5f) * step_;
  }
  [[nodiscard]] float y_of(double value) const {
    constexpr float kPad = 8;
    return place_.corner.y + kPad +
           (1 - static_cast<float>(scale_.share(value))) * (kTensorPlotHeight - 2 * kPad);
  }

  void draw_line() const {
    const Colour colour = ui_.theme.category[0];
    std::vector<ImVec2> points;
    const auto stroke = [&] {
      if (points.size() > 1) {
        ink_.list()->AddPolyline(points.data(), static_cast<int>(points.size()), colour, 1.5f);
      }
      points.clear();
    };
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].any_finite) {
        stroke();  // the line breaks where there is no number
        continue;
      }
      points.emplace_back(x_of(i), y_of(columns_[i].low));
      if (columns_.size() <= kMostDots)
        ink_.list()->AddCircleFilled(points.back(), kTensorPlotDot, colour, 8);
    }
    stroke();
  }

  void draw_ranges() const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].any_finite) continue;
      const float left = left_ + static_cast<float>(i) * step_;
      ink_.fill({left, y_of(columns_[i].high) - 0.75f},
                {left + step_, y_of(columns_[i].low) + 0.75f}, ui_.theme.category[0]);
    }
  }

  /// A tint over the columns, neighbours that look the same as one; the sign below where there is room for it.
  void draw_marks() const {
    std::size_t signs = 0;
    for (std::size_t i = 0; i < columns_.size();) {
      const lab::TensorMarks marks = columns_[i].marks;
      std::size_t past = i + 1;
      while (past < columns_.size() && columns_[past].marks == marks) ++past;
      if (marks != lab::TensorMarks{}) {
        const float left = left_ + static_cast<float>(i) * step_,
                    right = left_ + static_cast<float>(past) * step_;
        const bool bad = marks.wrong || marks.nan;
        ink_.fill({left, place_.corner.y}, {right, place_.corner.y + kTensorPlotHeight},
                  bad ? ui_.theme.bad_tint : ui_.theme.warn_tint);
        if (signs++ < kMostSigns) {
          const char* sign = marks.wrong ? "!" : marks.nan ? "×" : "∞";
          ink_.text_middle((left + right) / 2, place_.corner.y + kTensorPlotHeight - 9,
                           {Face::mono, 12, bad ? ui_.theme.bad : ui_.theme.warn}, sign,
                           Align::centre);
        }
      }
      i = past;
    }
  }

  void draw_ends() const {
    const float right = left_ - 6;
    ink_.text_middle(right, y_of(scale_.high), axis(), lab::figure(scale_.high), Align::right);
    if (scale_.high > scale_.low)
      ink_.text_middle(right, y_of(scale_.low), axis(), lab::figure(scale_.low), Align::right);
    if (scale_.low < 0 && scale_.high > 0)
      ink_.list()->AddLine({left_, y_of(0)}, {left_ + width_, y_of(0)}, ui_.theme.line, 1);
    const auto pinned = pinned_element(place_);
    if (!pinned || columns_.empty()) return;
    const float x = x_of(
        std::min(columns_.size() - 1, static_cast<std::size_t>(*pinned / columns_.front().count)));
    ink_.list()->AddLine({x, place_.corner.y}, {x, place_.corner.y + kTensorPlotHeight},
                         ui_.theme.accent, measure::kWire);
  }

  [[nodiscard]] std::optional<std::uint64_t> point() const {
    const bool pressed = item("plot", {left_, place_.corner.y},
                              {left_ + width_, place_.corner.y + kTensorPlotHeight});
    step_by_arrows(place_, 1, columns_.empty() ? 1 : columns_.front().count);
    if (!ImGui::IsItemHovered() || columns_.empty()) return std::nullopt;
    const float at = (ImGui::GetMousePos().x - left_) / step_;
    const auto column = std::min(columns_.size() - 1, static_cast<std::size_t>(std::max(0.0f, at)));
    const std::uint64_t element = columns_[column].first;
    if (pressed) pin_element(place_, element);
    return element;
  }

  const TensorFrame& place_;
  const Ui& ui_;
  Ink ink_;
  const std::vector<lab::TensorColumn>& columns_;
  const lab::TensorScale& scale_;
  float margin_ = 0, left_ = 0, width_ = 1, step_ = 1;
};
}  // namespace

float tensor_plot(const TensorFrame& place) { return Plot(place).draw(); }

}  // namespace warpbook::gui
