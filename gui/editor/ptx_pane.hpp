// The PTX that a source became, line by line: what each cost, and which line of the source it stems from.
#pragma once

#include "gui/controls/ui.hpp"
#include "lab/exhibits/source/line_heat.hpp"

namespace warpbook::gui {

class PtxPane {
 public:
  /// What it takes of its own accord; longer texts scroll.
  [[nodiscard]] static float height(const lab::SourceExhibit* source);
  /// `source` may be null, or have no PTX: then it says so.
  void draw(const Ui& ui, ImVec2 corner, ImVec2 size, const lab::SourceExhibit* source, bool stale);

 private:
  void follow_link(const Ui& ui, const lab::SourceExhibit& source, float height);

  Link followed_;  ///< that it has scrolled to
};

}  // namespace warpbook::gui
