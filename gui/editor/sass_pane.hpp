// The machine code that a source became, instruction by instruction: what it waits for, how often it ran, and which lines of
// the PTX and of the source it stems from.
#pragma once

#include <vector>

#include "gui/controls/ui.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lab/exhibits/source/sass_summary.hpp"

namespace warpbook::gui {

class SassPane {
 public:
  /// What it takes of its own accord at a width; longer texts scroll.
  [[nodiscard]] static float height(const Ui& ui, const lab::SourceExhibit* source, float width);
  /// `source` may be null, or have no machine code: then it says so.
  void draw(const Ui& ui, ImVec2 corner, ImVec2 size, const lab::SourceExhibit* source, bool stale);

 private:
  void follow_link(const Ui& ui, const std::vector<lab::SassRow>& rows, float height);

  Link followed_;  ///< that it has scrolled to
};

}  // namespace warpbook::gui
