// The PTX of a source, line by line, without what only debuggers read: what each line cost, and from which line of the source it was compiled.
#pragma once

#include "gui/controls/ui.hpp"
#include "lab/exhibits/source/line_heat.hpp"

namespace warpbook::gui {

class PtxText;

class PtxPane {
 public:
  /// The height that the pane wants; longer texts scroll.
  [[nodiscard]] static float height(const Ui& ui, const lab::SourceExhibit* source);
  /// If `source` is null or has no PTX, the pane says so.
  void draw(const Ui& ui, ImVec2 corner, ImVec2 size, const lab::SourceExhibit* source, bool stale);

 private:
  void follow_link(const Ui& ui, const lab::SourceExhibit& source, const PtxText& text,
                   float height);

  Link followed_;  ///< the link that the pane has scrolled to
};

}  // namespace warpbook::gui
