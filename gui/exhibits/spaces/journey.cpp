#include "gui/exhibits/spaces/journey.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/drawn.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"

namespace warpbook::gui {
namespace {
using Journey = lab::SpacesExhibit::Journey;
using Station = lab::SpacesExhibit::Station;

constexpr float kStepsHead = 36, kStepPad = 6, kStepNumber = 30, kStepCost = 92, kStepIcon = 26;
constexpr const char* kKeptStation = "station";

std::size_t station_shown(const Journey& journey) {
  return std::min<std::size_t>(kept(kKeptStation, 0), journey.stations.size() - 1);
}

/// The line and the thread of a step: marked in the source and in other panels.
Link link_of_step(const Station& station) {
  Link link;
  if (station.block && station.thread) link = link_to(*station.block, *station.thread);
  if (station.line != 0) link.line = station.line;
  return link;
}

void go_to_station(const Ui& ui, const Journey& journey, std::size_t to) {
  keep(kKeptStation, to);
  ui.post([link = link_of_step(journey.stations[to])](Book& book) {
    book.link.unpin();
    if (!link.empty()) book.link.pin(link);
  });
}

/// Left and right step, Home and End go to the ends, while the item is focused.
void step_by_keys(const Ui& ui, const Journey& journey) {
  if (!ImGui::IsItemFocused()) return;
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home, ImGuiKey_End};
  const std::size_t now = station_shown(journey), last = journey.stations.size() - 1;
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) go_to_station(ui, journey, now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now < last) go_to_station(ui, journey, now + 1);
  if (ImGui::IsKeyPressed(kKeys[2])) go_to_station(ui, journey, 0);
  if (ImGui::IsKeyPressed(kKeys[3])) go_to_station(ui, journey, last);
  own_keys(kKeys);
}

/// What hovering and pressing a station or its line do.
void offer_station(const Ui& ui, const Journey& journey, std::size_t i, bool pressed) {
  step_by_keys(ui, journey);
  if (pressed) go_to_station(ui, journey, i);
  if (const Link link = link_of_step(journey.stations[i]); ImGui::IsItemHovered() && !link.empty())
    point_at(ui, link, false);
}

/// First, back, on and last; the name of what is followed; how far the step is.
void draw_steps_head(const FigureArea& area, const Journey& journey) {
  const Ui& ui = area.ui;
  const Ink ink = ui.ink();
  const std::size_t now = station_shown(journey), last = journey.stations.size() - 1;
  const float top = area.corner.y + (kStepsHead - kStepIcon) / 2,
              middle = area.corner.y + kStepsHead / 2;
  struct Way {
    const char *id, *says;
    Icon icon;
    std::size_t to;
    float bar;  ///< beside the icon: left (-1) or right (1); 0: none
  };
  const std::array<Way, 4> ways{
      {{"first station", "gui.journey.first", Icon::chevron_left, 0, -1},
       {"station before", "gui.journey.back", Icon::chevron_left, now > 0 ? now - 1 : 0, 0},
       {"station after", "gui.journey.on", Icon::chevron_right, std::min(now + 1, last), 0},
       {"last station", "gui.journey.last", Icon::chevron_right, last, 1}}};
  float x = area.corner.x;
  for (const Way& way : ways) {
    if (icon_button(ui, way.id, {x, top}, way.icon, ui.tr(way.says), kStepIcon))
      go_to_station(ui, journey, way.to);
    step_by_keys(ui, journey);
    if (way.bar != 0) {
      const float at = x + kStepIcon / 2 + way.bar * 6;
      ink.list()->AddLine({at, middle - 5}, {at, middle + 5}, ui.theme.t2, 1.5f);
    }
    x += kStepIcon + 4;
  }
  x += 8;
  const std::string steps = ui.tr(
      "journey.step", {{"number", std::to_string(now + 1)}, {"count", std::to_string(last + 1)}});
  const float right = ink.width(ui.note(), steps);
  const Type name{Face::mono_bold, 14, ui.theme.t1};
  ink.text_middle(
      x, middle, name,
      ink.fitted(name, lab::followed_text(journey), area.width - (x - area.corner.x) - right - 16));
  ink.text_middle(area.corner.x + area.width, middle, ui.note(), steps, Align::right);
}

/// One line of the list; gives back its height.
float draw_step(const FigureArea& area, const Journey& journey, std::size_t i) {
  const Ui& ui = area.ui;
  const Station& station = journey.stations[i];
  const bool now = i == station_shown(journey);
  std::string more = station.line != 0
                         ? ui.tr("journey.line", {{"line", std::to_string(station.line)}})
                         : std::string();
  const std::string cost = ui.tr(station.cost);
  const float words_left = area.corner.x + kStepNumber,
              room = area.width - kStepNumber - kStepCost - 8;
  const ParagraphStyle style{
      14, 20, Face::sans, Face::bold, now ? ui.theme.accent_text : ui.theme.t2, 0};
  const FigureArea says{ui, {words_left, area.corner.y + kStepPad}, room, false};
  const float height = std::max(words(says, ui.tr(station.says), style),
                                more.empty() || cost.empty() ? 20.0f : 38.0f) +
                       2 * kStepPad;
  if (!area.draw) return height;
  const Ink ink = ui.ink();
  const ImVec2 max{area.corner.x + area.width, area.corner.y + height};
  const bool pressed = item(("step " + std::to_string(i + 1)).c_str(), area.corner, max);
  offer_station(ui, journey, i, pressed);
  const bool hovered = ImGui::IsItemHovered();
  if (now || hovered) {
    ink.fill(area.corner, max, now ? ui.theme.accent_tint : ui.theme.s3, measure::kCellRadius);
  }
  const float first = area.corner.y + kStepPad + 10;
  ink.text_middle(area.corner.x + 18, first,
                  {Face::mono, 14, now ? ui.theme.accent_text : ui.theme.t3}, std::to_string(i + 1),
                  Align::right);
  words({ui, says.corner, room, true}, ui.tr(station.says), style);
  float y = first;
  for (const std::string& text : {cost, more}) {
    if (text.empty()) continue;
    Type type = ui.note();
    if (now) type.colour = ui.theme.accent_text;
    ink.text_middle(max.x - 8, y, type, ink.fitted(type, text, kStepCost), Align::right);
    y += 18;
  }
  return height;
}
}  // namespace

lab::SpacesJourneyState point_at_stops(const FigureArea& area, const Journey& journey,
                                       const lab::SpacesPicture& picture) {
  if (journey.stations.empty()) return {};
  const Ui& ui = area.ui;
  lab::SpacesJourneyState state;
  for (std::size_t i = 0; i < picture.stops.size(); ++i) {
    const lab::Area at =
        lab::Area{picture.stops[i].x, picture.stops[i].y, 0, 0}.grown(lab::SpacesPicture::kStop);
    const bool pressed = item_over(("station " + std::to_string(i + 1)).c_str(), area.corner, at);
    offer_station(ui, journey, i, pressed);
    if (ImGui::IsItemHovered()) state.hovered = i;
    tip(ui, ui.tr(journey.stations[i].says));
  }
  state.station = station_shown(journey);
  state.come = static_cast<double>(
      ui.motion.to(ImGui::GetID("way"), static_cast<float>(*state.station), kMoveSeconds));
  return state;
}

float journey_steps(const FigureArea& area, const Journey& journey) {
  if (journey.stations.empty()) return 0;
  if (area.draw) draw_steps_head(area, journey);
  float y = kStepsHead;
  for (std::size_t i = 0; i < journey.stations.size(); ++i)
    y +=
        draw_step({area.ui, {area.corner.x, area.corner.y + y}, area.width, area.draw}, journey, i);
  return y;
}

}  // namespace warpbook::gui
