#include "gui/exhibits/panel_menu.hpp"

#include <algorithm>
#include <array>

#include "gui/controls/widgets.hpp"

namespace warpbook::gui {
namespace {
struct Choice {
  const char* id;
  Export::What what;
  Export::To to;
};
constexpr std::array kChoices{
    Choice{"copy-image", Export::What::image, Export::To::clipboard},
    Choice{"copy-csv", Export::What::csv, Export::To::clipboard},
    Choice{"copy-markdown", Export::What::markdown, Export::To::clipboard},
    Choice{"copy-words", Export::What::words, Export::To::clipboard},
    Choice{"save-image", Export::What::image, Export::To::file},
    Choice{"save-csv", Export::What::csv, Export::To::file},
};
constexpr float kRow = 32, kPanelMenuPadding = 6;
}  // namespace

void panel_menu(const Ui& ui, float right, float middle, const lab::Exhibit& exhibit, bool stale) {
  constexpr float kSize = 26;
  if (icon_button(ui, "menu", {right - kSize, middle - kSize / 2}, Icon::dots,
                  ui.tr("gui.menu.title"), kSize)) {
    ImGui::OpenPopup("choices");
  }
  float wide = 0;
  for (const Choice& choice : kChoices)
    wide = std::max(wide, ui.ink().width(ui.label(), ui.tr(std::string("gui.menu.") + choice.id)));
  wide += 32;
  const bool refused = stale || ui.book.of_draft(exhibit);
  const std::string why =
      refused ? ui.tr(stale ? "gui.menu.stale" : "gui.menu.draft") : std::string();
  const float note =
      refused ? words({ui, {0, 0}, wide - 24, false}, why, ui.caption_style()) + 14 : 0;
  const float high = kRow * kChoices.size() + 2 * kPanelMenuPadding + note;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float lowest = viewport.Pos.y + viewport.Size.y - high - 8;
  ImGui::SetNextWindowPos({right - wide, std::min(middle + kSize / 2 + 4, lowest)});
  ImGui::SetNextWindowSize({wide, high});
  if (!ImGui::BeginPopup("choices", ImGuiWindowFlags_NoMove)) return;
  const ImVec2 at = ImGui::GetWindowPos();
  if (ui.theme.outline)
    ui.ink().outline(at, {at.x + wide, at.y + high}, ui.theme.outline, measure::kPanelRadius);
  float y = at.y + kPanelMenuPadding;
  if (refused) {
    words({ui, {at.x + 16, y + 6}, wide - 24, true}, why, ui.caption_style());
    y += note;
  }
  for (const Choice& choice : kChoices) {
    const ImVec2 min{at.x + kPanelMenuPadding, y}, max{at.x + wide - kPanelMenuPadding, y + kRow};
    ImGui::BeginDisabled(refused);
    const bool pressed = item(choice.id, min, max);
    const bool lit = (ImGui::IsItemHovered() || ImGui::IsItemFocused()) && !refused;
    ImGui::EndDisabled();
    const Ink ink = ui.ink();
    if (lit) ink.fill(min, max, ui.theme.s4, measure::kControlRadius);
    Type type = ui.label();
    if (refused) type.colour = ui.theme.t4;
    ink.text_middle(min.x + 10, (min.y + max.y) / 2, type,
                    ui.tr(std::string("gui.menu.") + choice.id));
    if (pressed) {
      ui.post([wanted = Export{choice.what, choice.to, exhibit}](Book& book) {
        book.want_export(wanted);
      });
      ImGui::CloseCurrentPopup();
    }
    y += kRow;
  }
  ImGui::EndPopup();
}

}  // namespace warpbook::gui
