#include "gui/exhibits/heat_bar.hpp"

#include <algorithm>

#include "gui/shell/widgets.hpp"

namespace warpbook::gui {
namespace {
constexpr const char* kChoice = "source/heat";
constexpr float kStrip = 8, kHeatBarBeside = 7, kHeatBarRow = 32, kHeatBarPadding = 6;
constexpr float kColdest = 0.12f;  // of Viridis: darker is not told from the ground

Colour warm(double share) { return viridis(kColdest + (1 - kColdest) * static_cast<float>(share)); }

/// What the source has, or only the threads.
std::vector<lab::Heat> offered(const Ui& ui, const lab::SourceExhibit& source) {
  return counts_may_answer(ui) ? std::vector{lab::Heat::threads} : lab::heats_of(source);
}

lab::Heat chosen_among(const Ui& ui, const std::vector<lab::Heat>& heats) {
  const int chosen = ui.book.choice(kChoice);
  for (const lab::Heat heat : heats) {
    if (chosen == static_cast<int>(heat)) return heat;
  }
  return lab::Heat::threads;
}

void draw_legend(const Ui& ui, float right, float middle, const lab::LineHeat& heat) {
  constexpr float kWide = 120, kHigh = 10;
  const Ink ink = ui.ink();
  const std::string most = lab::grouped(heat.most());
  ink.text_middle(right, middle, ui.figures(ui.theme.t2), most, Align::right);
  const float end = right - ink.width(ui.figures(0), most) - 8, begin = end - kWide;
  constexpr int kSteps = 12;
  for (int step = 0; step < kSteps; ++step) {
    const float left = begin + kWide * static_cast<float>(step) / kSteps;
    ink.fill({left, middle - kHigh / 2}, {left + kWide / kSteps, middle + kHigh / 2},
             warm((step + 0.5) / kSteps));
  }
  ink.text_middle(begin - 8, middle, ui.figures(ui.theme.t2), "0", Align::right);
}

/// The counters as a menu below (`corner` is its upper left).
void draw_choices(const Ui& ui, ImVec2 corner, const std::vector<lab::Heat>& heats,
                  lab::Heat chosen) {
  float wide = 0;
  for (const lab::Heat heat : heats) {
    wide = std::max(wide, ui.ink().width(ui.label(), lab::heat_name(heat, ui.book.strings())));
  }
  wide += 2 * kHeatBarPadding + 48;
  const float high = kHeatBarRow * static_cast<float>(heats.size()) + 2 * kHeatBarPadding;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float lowest = viewport.Pos.y + viewport.Size.y - high - 8;
  ImGui::SetNextWindowPos({corner.x, std::min(corner.y, lowest)});
  ImGui::SetNextWindowSize({wide, high});
  if (!ImGui::BeginPopup("counters", ImGuiWindowFlags_NoMove)) return;
  const ImVec2 at = ImGui::GetWindowPos();
  const Ink ink = ui.ink();
  if (ui.theme.outline)
    ink.outline(at, {at.x + wide, at.y + high}, ui.theme.outline, measure::kPanelRadius);
  float y = at.y + kHeatBarPadding;
  for (const lab::Heat heat : heats) {
    const ImVec2 min{at.x + kHeatBarPadding, y},
        max{at.x + wide - kHeatBarPadding, y + kHeatBarRow};
    const std::string name = lab::heat_name(heat, ui.book.strings());
    const bool pressed = item(name.c_str(), min, max);
    if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
      ink.fill(min, max, ui.theme.s4, measure::kControlRadius);
    const float middle = (min.y + max.y) / 2;
    if (heat == chosen) ink.icon(Icon::check, {min.x + 14, middle}, ui.theme.accent, 14);
    ink.text_middle(min.x + 30, middle, ui.label(), name);
    if (pressed) {
      ui.post([heat](Book& book) { book.choose(kChoice, static_cast<int>(heat)); });
      ImGui::CloseCurrentPopup();
    }
    y += kHeatBarRow;
  }
  ImGui::EndPopup();
}
}  // namespace

bool counts_may_answer(const Ui& ui) {
  const auto report = ui.book.report();
  return !ui.book.active_desk() && report &&
         std::ranges::any_of(report->exhibits, [&](const lab::Exhibit& exhibit) {
           return ui.book.veil(exhibit.id) != nullptr;
         });
}

lab::Heat heat_chosen(const Ui& ui, const lab::SourceExhibit& source) {
  return chosen_among(ui, offered(ui, source));
}

void heat_bar(const Ui& ui, ImVec2 corner, float width, const lab::SourceExhibit& source) {
  const auto heats = offered(ui, source);
  const lab::Heat chosen = chosen_among(ui, heats);
  const float middle = corner.y + kHeatBar / 2;
  draw_legend(ui, corner.x + width, middle, lab::LineHeat(source, chosen));
  const std::string name = lab::heat_name(chosen, ui.book.strings());
  if (heats.size() < 2) {
    ui.ink().text_middle(corner.x, middle, ui.caption(), name);
    return;
  }
  static constexpr Icon kMore = Icon::chevron_down;
  const ButtonLook look{ButtonKind::plain, measure::kCardButton, &kMore};
  const ImVec2 at{corner.x, middle - measure::kCardButton / 2};
  if (button(ui, "heat", at, name, look)) ImGui::OpenPopup("counters");
  draw_choices(ui, {at.x, at.y + measure::kCardButton + 4}, heats, chosen);
}

float heat_width(const Ui& ui, const lab::SourceExhibit& source) {
  constexpr float kLeast = 68;  // so that the text does not move for a digit more
  const lab::LineHeat heat(source, heat_chosen(ui, source));
  const float number = ui.ink().width({Face::mono, 13, 0}, lab::grouped(heat.most()));
  return std::max(kLeast, number + kStrip + 2 * kHeatBarBeside);
}

void heat_strip(const Ui& ui, float right, float top, float height, double share,
                const std::string& text, bool stale) {
  const Ink ink = ui.ink();
  const Colour colour = text.empty() ? ui.theme.s3 : warm(share);
  ink.fill({right - kStrip, top}, {right, top + height - 1},
           stale && !text.empty() ? mix(ui.theme.s2, colour, 0.4f) : colour);
  ink.text_middle(right - kStrip - kHeatBarBeside, top + height / 2,
                  {Face::mono, 13, stale ? ui.theme.t4 : ui.theme.t1}, text, Align::right);
}

void heat_mark(const Ui& ui, float right, float top, float height, std::uint64_t value,
               const lab::LineHeat& heat, bool stale) {
  heat_strip(ui, right, top, height, heat.share(value),
             value == 0 ? std::string() : lab::grouped(value), stale);
}

}  // namespace warpbook::gui
