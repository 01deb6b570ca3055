// Source that is shown, not edited: coloured, with what each line cost at the right and what was
// found under its line.
#include <algorithm>

#include "gui/controls/code_rows.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/tensor/heat_bar.hpp"

namespace warpbook::gui {
namespace {
constexpr float kRow = 22, kCodeSize = 14, kNumbers = 30;
}  // namespace

float figure_of(const FigureArea& area, const lab::SourceExhibit& source,
                const std::string& /*id*/) {
  const Ui& ui = area.ui;
  const Ink ink = ui.ink();
  const lab::LineHeat& heat = heat_shown(ui, source);
  const float costs = source.lines.empty() ? 0 : heat_width(ui, source) + measure::kGap;
  const std::size_t columns = code_columns(ui, kCodeSize, area.width - kNumbers - costs);
  bool in_comment = false;
  float y = area.corner.y;
  std::uint32_t number = 0;
  std::string_view rest = source.text;
  while (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++number;
    const std::vector<CodeRow> rows = code_rows(line, columns);
    const float height = kRow * static_cast<float>(rows.size());
    const ImVec2 min{area.corner.x - 8, y}, max{area.corner.x + area.width + 8, y + height};
    const auto mark = std::ranges::find(source.marks, number, &lab::SourceExhibit::Mark::line);
    const auto tokens = highlight(line, Dialect::cuda, in_comment);
    if (area.draw && ImGui::IsRectVisible(min, max)) {
      const float middle = y + kRow / 2;
      const bool linked = ui.book.link.current().line == number;
      if (mark != source.marks.end() && mark->severity == device::Severity::error) {
        ink.fill(min, max, ui.theme.bad_tint);
        ink.fill(min, {min.x + measure::kAccentBar, max.y}, ui.theme.bad);
      } else if (linked) {
        ink.fill(min, max, ui.theme.accent_tint);
        ink.fill(min, {min.x + measure::kAccentBar, max.y}, ui.theme.accent);
      }
      ink.text_middle(area.corner.x + 16, middle, {Face::mono, 12, ui.theme.t3},
                      std::to_string(number), Align::right);
      for (std::size_t row = 0; row < rows.size(); ++row)
        draw_code_row(ui, area.corner.x + kNumbers, middle + kRow * static_cast<float>(row),
                      kCodeSize, line, tokens, rows[row]);
      if (!source.lines.empty()) {
        const float right = area.corner.x + area.width;
        const auto cost = std::ranges::find(source.lines, number, &lab::SourceExhibit::Line::line);
        heat_mark(ui, right, y, kRow, heat.of_line(number), heat, false,
                  cost == source.lines.end() ? std::string() : heat_reason(ui, *cost, heat));
      }
    }
    y += height;
    for (const auto& one : source.marks) {
      if (one.line != number) continue;
      const bool error = one.severity == device::Severity::error;
      const ParagraphStyle style{
          14, 20, Face::sans, Face::bold, error ? ui.theme.bad : ui.theme.warn, 0};
      y += words({ui, {area.corner.x + kNumbers, y + 2}, area.width - 44, area.draw},
                 ui.tr(one.text), style) +
           6;
    }
  }
  if (!source.lines.empty()) {
    if (area.draw) heat_bar(ui, {area.corner.x, y}, area.width, source);
    y += kHeatBar;
  }
  return y - area.corner.y;
}

}  // namespace warpbook::gui
