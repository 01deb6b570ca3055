// The picture of a training: the loss and, where there is one, the share of right answers by step; below, the launches of one step, as
// wide as their estimated times. The window and SVG draw the same.
#pragma once

#include <cstddef>
#include <optional>

#include "lab/exhibits/learning/learning_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where its parts lie.
class LearningPlane {
 public:
  /// With another training beside it, both have the same axes.
  LearningPlane(const LearningExhibit& learning, const LearningExhibit* beside,
                const Canvas& canvas);

  [[nodiscard]] const LearningBounds& bounds() const { return bounds_; }
  [[nodiscard]] const Area& loss() const { return loss_; }
  [[nodiscard]] const std::optional<Area>& right() const { return right_; }
  /// Of both plots.
  [[nodiscard]] Area plots() const;
  [[nodiscard]] const std::optional<Area>& bar() const { return bar_; }
  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] double across(double step) const;
  [[nodiscard]] double down(double loss) const;
  [[nodiscard]] double down_right(double accuracy) const;
  /// The place of a launch in the bar.
  [[nodiscard]] Area launch(const LearningExhibit::Point& point, std::size_t launch) const;
  /// The first run's point nearest to a place; none where it has no point.
  [[nodiscard]] std::optional<std::size_t> point_near(const LearningExhibit& learning,
                                                      const Point& place) const;
  /// The launch at a place of the bar.
  [[nodiscard]] std::optional<std::size_t> launch_at(const LearningExhibit::Point& point,
                                                     const Point& place) const;

 private:
  LearningBounds bounds_;
  Area loss_;
  std::optional<Area> right_, bar_;
  double height_ = 0;
};

/// `shown`: the first run's point that is marked, whose launches the bar shows. `launch`: which of them is marked.
Drawing drawing_of(const LearningExhibit& learning, const LearningPlane& plane,
                   const std::optional<std::size_t>& shown,
                   const std::optional<std::size_t>& launch, const Canvas& canvas);

}  // namespace warpbook::lab
