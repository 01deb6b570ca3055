// The machine code of a source, instruction by instruction: what each waits for, how often it ran, and from which lines of
// the PTX and the source it was compiled.
#pragma once

#include <vector>

#include "gui/controls/ui.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lab/exhibits/source/sass_summary.hpp"

namespace warpbook::gui {

class SassPane {
 public:
  /// The height that the pane wants at a width; longer texts scroll.
  [[nodiscard]] static float height(const Ui& ui, const lab::SourceExhibit* source, float width);
  /// If `source` is null or has no machine code, the pane says so.
  void draw(const Ui& ui, ImVec2 corner, ImVec2 size, const lab::SourceExhibit* source, bool stale);

 private:
  void follow_link(const Ui& ui, const std::vector<lab::SassRow>& rows, float height);

  Link followed_;  ///< the link that the pane has scrolled to
};

}  // namespace warpbook::gui
