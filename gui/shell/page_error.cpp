#include "gui/shell/page_error.hpp"

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

float page_error(const Ui& ui, ImVec2 corner, float width) {
  const auto& error = ui.book.document_error();
  if (!error) return 0;
  constexpr float kRow = 22, kMargin = 8;
  const Excerpt& excerpt = ui.book.document_error_excerpt();
  const float left = corner.x + measure::kDocumentMargin - kMargin,
              right = corner.x + width - measure::kDocumentMargin + kMargin;
  const ParagraphStyle style{14, ui.leading(20), Face::sans, Face::bold, ui.theme.t1, 0};
  const std::string says = ui.tr("gui.document.kept", {{"error", ui.tr(*error)}});
  const FigureArea text{ui, {left + 40, corner.y + kMargin + 10}, right - left - 52, false};
  const float said = words(text, says, style);
  const float code =
      excerpt.lines.empty() ? 0 : kRow * static_cast<float>(excerpt.lines.size()) + 8;
  const ImVec2 min{left, corner.y + kMargin}, max{right, min.y + said + code + 20};
  if (item("page error", min, max)) ImGui::SetClipboardText(says.c_str());
  tip(ui, ui.tr("gui.document.copy-error"));
  const Ink ink = ui.ink();
  ground(ui, min, max, ui.theme.bad_tint, measure::kControlRadius);
  ink.fill(min, {min.x + measure::kAccentBar, max.y}, ui.theme.bad, 2);
  ink.icon(Icon::cross, {left + 20, text.corner.y + style.line / 2}, ui.theme.bad, 16,
           ui.theme.bad_tint);
  words({ui, text.corner, text.width, true}, says, style);
  float y = text.corner.y + said + 8;
  for (std::size_t i = 0; i < excerpt.lines.size(); ++i) {
    const std::uint32_t number = excerpt.first + static_cast<std::uint32_t>(i);
    const bool broken = number == error->place.line;
    if (broken) ink.fill({left + 12, y}, {right - 12, y + kRow}, fade(ui.theme.bad, 0.2f), 2);
    ink.text_middle(left + 46, y + kRow / 2, {Face::mono, 12, broken ? ui.theme.bad : ui.theme.t3},
                    std::to_string(number), Align::right);
    const Type type{Face::mono, 13, broken ? ui.theme.t1 : ui.theme.t2};
    ink.text_middle(left + 58, y + kRow / 2, type,
                    ink.fitted(type, excerpt.lines[i], right - left - 76));
    y += kRow;
  }
  return max.y - corner.y;
}

}  // namespace warpbook::gui
