#include "gui/exhibits/tensor/heat_bar.hpp"

#include <algorithm>

#include "gui/controls/choice_menu.hpp"
#include "gui/controls/widgets.hpp"

namespace warpbook::gui {
namespace {
constexpr const char* kChoice = "source/heat";
constexpr float kStrip = 8, kBeside = 7;
// Under which the cache keeps it, a counter each, and which counters there are.
constexpr std::uint64_t kHeatPart = 1ull << 32, kHeatsPart = 1ull << 33;
constexpr float kColdest = 0.12f;  // of Viridis: darker is not told from the ground

Colour warm(double share) { return viridis(kColdest + (1 - kColdest) * static_cast<float>(share)); }

/// What the source has, or only the threads.
std::vector<lab::Heat> offered(const Ui& ui, const lab::SourceExhibit& source) {
  if (counts_may_answer(ui)) return {lab::Heat::threads};
  return ui.cache.get<std::vector<lab::Heat>>(&source, kHeatsPart,
                                              [&] { return lab::heats_of(source); });
}

lab::Heat chosen_among(const Ui& ui, const std::vector<lab::Heat>& heats, lab::Heat otherwise) {
  const int chosen = ui.book.choice(kChoice);
  for (const int wanted : {chosen, static_cast<int>(otherwise)}) {
    for (const lab::Heat heat : heats) {
      if (wanted == static_cast<int>(heat)) return heat;
    }
  }
  return lab::Heat::threads;
}

void draw_legend(const Ui& ui, float right, float middle, const lab::LineHeat& heat) {
  constexpr float kWide = 120, kHigh = 10;
  const Ink ink = ui.ink();
  const std::string most = heat.text(heat.most());
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
  std::vector<MenuRow> rows;
  for (const lab::Heat heat : heats) {
    const std::string name = lab::heat_name(heat, ui.book.strings());
    rows.push_back({.id = name, .label = name, .chosen = heat == chosen});
  }
  if (const auto press = choice_menu(ui, "counters", corner, rows)) {
    ui.post(
        [heat = heats[press->row]](Book& book) { book.choose(kChoice, static_cast<int>(heat)); });
  }
}
}  // namespace

bool counts_may_answer(const Ui& ui) {
  const auto report = ui.book.report();
  return !ui.book.active_attempt() && report &&
         std::ranges::any_of(report->exhibits, [&](const lab::Exhibit& exhibit) {
           return ui.book.veil(exhibit.id) != nullptr;
         });
}

lab::Heat heat_chosen(const Ui& ui, const lab::SourceExhibit& source, lab::Heat otherwise) {
  return chosen_among(ui, offered(ui, source), otherwise);
}

const lab::LineHeat& heat_shown(const Ui& ui, const lab::SourceExhibit& source,
                                lab::Heat otherwise) {
  const lab::Heat chosen = heat_chosen(ui, source, otherwise);
  return ui.cache.get<lab::LineHeat>(&source, kHeatPart + static_cast<std::uint64_t>(chosen),
                                     [&] { return lab::LineHeat(source, chosen); });
}

void heat_bar(const Ui& ui, ImVec2 corner, float width, const lab::SourceExhibit& source,
              lab::Heat otherwise) {
  const auto heats = offered(ui, source);
  const lab::Heat chosen = chosen_among(ui, heats, otherwise);
  const float middle = corner.y + kHeatBar / 2;
  draw_legend(ui, corner.x + width, middle, heat_shown(ui, source, otherwise));
  const std::string name = lab::heat_name(chosen, ui.book.strings());
  if (heats.size() < 2) {
    ui.ink().text_middle(corner.x, middle, ui.caption(), name);
    return;
  }
  static constexpr Icon kMore = Icon::chevron_down;
  const ButtonLook look{ButtonKind::plain, measure::kCardButton, &kMore};
  const ImVec2 at{corner.x, middle - measure::kCardButton / 2};
  if (button(ui, "heat", at, name, look)) ImGui::OpenPopup("counters");
  if (ImGui::IsPopupOpen("counters"))
    draw_choices(ui, {at.x, at.y + measure::kCardButton + 4}, heats, chosen);
}

float heat_width(const Ui& ui, const lab::SourceExhibit& source, lab::Heat otherwise) {
  constexpr float kLeast = 68;  // so that the text does not move for a digit more
  const lab::LineHeat& heat = heat_shown(ui, source, otherwise);
  const float number = ui.ink().width({Face::mono, 13, 0}, heat.text(heat.most()));
  float reason = 0;
  for (const lab::SourceExhibit::Line& line : source.lines)
    reason = std::max(reason, ui.ink().width(ui.caption(), heat_reason(ui, line, heat)));
  return std::max(kLeast, reason + number + kStrip + (reason > 0 ? 3 : 2) * kBeside);
}

std::string heat_reason(const Ui& ui, const lab::SourceExhibit::Line& line,
                        const lab::LineHeat& heat) {
  return heat.kind() == lab::Heat::time ? lab::waits_for(line, ui.book.strings()) : std::string();
}

void heat_strip(const Ui& ui, float right, float top, float height, double share,
                const std::string& text, bool stale) {
  const Ink ink = ui.ink();
  const Colour colour = text.empty() ? ui.theme.s3 : warm(share);
  ink.fill({right - kStrip, top}, {right, top + height - 1},
           stale && !text.empty() ? mix(ui.theme.s2, colour, 0.4f) : colour);
  ink.text_middle(right - kStrip - kBeside, top + height / 2,
                  {Face::mono, 13, stale ? ui.theme.t4 : ui.theme.t1}, text, Align::right);
}

void heat_mark(const Ui& ui, float right, float top, float height, std::uint64_t value,
               const lab::LineHeat& heat, bool stale, const std::string& reason) {
  const std::string text = heat.text(value);
  heat_strip(ui, right, top, height, heat.share(value), text, stale);
  if (reason.empty()) return;
  const float end = right - kStrip - 2 * kBeside - ui.ink().width({Face::mono, 13, 0}, text);
  ui.ink().text_middle(end, top + height / 2, ui.caption(), reason, Align::right);
}

}  // namespace warpbook::gui
