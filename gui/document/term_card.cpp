#include "gui/document/term_card.hpp"

#include <algorithm>
#include <array>

#include "gui/document/spans.hpp"

namespace warpbook::gui {

std::string chapter_of(const Ui& ui, const lab::GlossaryEntry& entry) {
  const auto& chapters = ui.book.chapters();
  const auto found = std::ranges::find(chapters, entry.chapter, &ChapterEntry::slug);
  if (found == chapters.end()) return entry.title;
  return std::to_string(found - chapters.begin() + 1) + "  " + entry.title;
}

void term_card(const Ui& ui, std::string_view id, ImVec2 min, ImVec2 max) {
  constexpr float kWidth = 360, kMargin = 14, kAway = 4;
  const lab::GlossaryEntry* entry = ui.book.glossary().find(id);
  if (!entry) return;
  struct Line {
    Runs runs;
    ParagraphStyle style;
  };
  std::vector<Line> lines;
  lines.push_back({runs_alone(entry->term.name), {15, 26, Face::bold, Face::bold, ui.theme.t1, 0}});
  lines.push_back({runs_alone(entry->term.meaning),
                   {15, ui.chinese() ? 25.0f : 23.0f, Face::sans, Face::bold, ui.theme.t2, 0}});
  const ParagraphStyle note{13, 22, Face::sans, Face::bold, ui.theme.t3, 0};
  if (!entry->term.opencl.empty()) {
    lines.push_back({plain_runs(ui.tr("gui.term.opencl", {{"name", entry->term.opencl}})), note});
  }
  lines.push_back(
      {plain_runs(ui.tr("gui.glossary.first", {{"chapter", chapter_of(ui, *entry)}})), note});
  const auto each = [&](auto&& act) {
    float y = kMargin - 4;
    for (const Line& line : lines) {
      const Paragraph& paragraph =
          ui.paragraphs.get(line.runs, line.style, kWidth - 2 * kMargin, ui.ink());
      act(paragraph, y);
      y += paragraph.height();
    }
    return y + kMargin - 4;
  };
  const float height = each([](const Paragraph&, float) {});
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float right = viewport.Pos.x + viewport.Size.x, bottom = viewport.Pos.y + viewport.Size.y;
  const bool under = max.y + kAway + height < bottom;
  ImGui::SetNextWindowPos({std::max(viewport.Pos.x, std::min(min.x, right - kWidth - kAway)),
                           under ? max.y + kAway : min.y - kAway - height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, measure::kPanelRadius);
  if (ImGui::BeginTooltip()) {
    const Ink ink = ui.ink();
    const ImVec2 at = ImGui::GetWindowPos();
    each([&](const Paragraph& paragraph, float y) {
      paragraph.draw(ink, {at.x + kMargin, at.y + y}, ui.paragraph_colours());
    });
    ImGui::Dummy({kWidth, height});
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace warpbook::gui
