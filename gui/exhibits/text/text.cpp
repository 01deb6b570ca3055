// Words: printf's output in the mono face, an explanation as prose.
#include <algorithm>
#include <string>
#include <string_view>

#include "gui/exhibits/panels.hpp"

namespace warpbook::gui {
namespace {

/// The size at which no line of a table breaks, down to a small one: a broken row is no row any more.
float table_size(const Ink& ink, std::string_view text, float room) {
  constexpr float kMost = 14, kLeast = 9;
  float size = kMost;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find("  ") == std::string_view::npos) continue;  // no columns: it may break
    while (size > kLeast && ink.width({Face::mono, size, 0}, line) > room) size -= 0.5f;
  }
  return size;
}
}  // namespace

float figure_of(const FigureArea& area, const lab::TextExhibit& text, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  std::string said = ui.tr(text.text);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (said.empty()) return words(area, ui.tr("gui.text.empty"), ui.caption_style());
  if (!text.code)
    return words(area, said, {15, 23, Face::sans, Face::bold, ui.theme.t2, ui.theme.t1});
  const FigureArea inside{ui, {area.corner.x + 12, area.corner.y + 8}, area.width - 24, false};
  const float size = table_size(ui.ink(), said, inside.width);
  const ParagraphStyle style{size, 1.5f * size, Face::mono, Face::mono_bold, ui.theme.t1, 0};
  const float height = words(inside, said, style) + 16;
  if (area.draw) {
    ui.ink().fill(area.corner, {area.corner.x + area.width, area.corner.y + height}, ui.theme.s1,
                  measure::kControlRadius);
    words({ui, inside.corner, inside.width, true}, said, style);
  }
  return height;
}

}  // namespace warpbook::gui
