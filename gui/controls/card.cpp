#include "gui/controls/card.hpp"

#include <algorithm>

#include "gui/controls/spans.hpp"

namespace warpbook::gui {

ParagraphStyle card_name(const Ui& ui) { return {15, 26, Face::bold, Face::bold, ui.theme.t1, 0}; }

ParagraphStyle card_meaning(const Ui& ui) {
  return {15, ui.leading(23), Face::sans, Face::bold, ui.theme.t2, 0};
}

ParagraphStyle card_note(const Ui& ui) { return {13, 22, Face::sans, Face::bold, ui.theme.t3, 0}; }

void card(const Ui& ui, const std::vector<CardLine>& lines, ImVec2 min, ImVec2 max) {
  constexpr float kWidth = 360, kMargin = 14, kAway = 4;
  const auto each = [&](auto&& act) {
    float y = kMargin - 4;
    for (const CardLine& line : lines) {
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

void word_card(const Ui& ui, const std::string& name, const std::string& meaning,
               const std::string& note, ImVec2 min, ImVec2 max) {
  std::vector<CardLine> lines{{plain_runs(name), card_name(ui)}};
  if (!meaning.empty()) lines.push_back({plain_runs(meaning), card_meaning(ui)});
  if (!note.empty()) lines.push_back({plain_runs(note), card_note(ui)});
  card(ui, lines, min, max);
}

}  // namespace warpbook::gui
