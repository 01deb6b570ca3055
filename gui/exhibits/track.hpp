// A track from step to step above a picture: a button at each end, and between them a stop for each step. It is dragged, or stepped
// by the arrow keys.
#pragma once

#include <cstddef>

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

class Track {
 public:
  static constexpr float kHeight = 32;

  /// Along the top of the area. `first`: the step that is shown before the reader has chosen one.
  Track(const FigureArea& area, std::size_t steps, std::size_t first);

  /// The step that was chosen last: a choice of the view's own, kept by ImGui.
  [[nodiscard]] std::size_t step() const;
  void go_to(std::size_t step);
  void draw();
  /// Left and right step, Home and End go to the ends, while the last drawn item has the focus.
  void step_by_keys();

 private:
  void draw_stops(float from, float to, float middle, float apart) const;

  const FigureArea& area_;
  const Ui& ui_;
  std::size_t last_, first_;
};

}  // namespace warpbook::gui
