// Words: printf's output in the mono face, an explanation as prose.
#include <algorithm>

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

float text_figure(const Frame& frame, const lab::TextExhibit& text) {
  const Ui& ui = frame.ui;
  std::string said = ui.tr(text.text);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (said.empty()) return words(frame, ui.tr("gui.text.empty"), ui.caption_style());
  if (!text.code)
    return words(frame, said, {15, 23, Face::sans, Face::bold, ui.theme.t2, ui.theme.t1});
  const Frame inside{ui, {frame.corner.x + 12, frame.corner.y + 8}, frame.width - 24, false};
  const ParagraphStyle style{14, 21, Face::mono, Face::mono_bold, ui.theme.t1, 0};
  const float height = words(inside, said, style) + 16;
  if (frame.draw) {
    ui.ink().fill(frame.corner, {frame.corner.x + frame.width, frame.corner.y + height},
                  ui.theme.s1, measure::kControlRadius);
    words({ui, inside.corner, inside.width, true}, said, style);
  }
  return height;
}

}  // namespace warpbook::gui
