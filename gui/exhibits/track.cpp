#include "gui/exhibits/track.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"

namespace warpbook::gui {
namespace {

constexpr float kStop = 5, kTrackIcon = 26;
constexpr const char* kKeptStep = "step";

}  // namespace

Track::Track(const FigureArea& area, std::size_t steps, std::size_t first)
    : area_(area), ui_(area.ui), last_(steps - 1), first_(first) {}

std::size_t Track::step() const { return std::min<std::size_t>(kept(kKeptStep, first_), last_); }

void Track::go_to(std::size_t step) { keep(kKeptStep, std::min(step, last_)); }

void Track::step_by_keys() {
  if (!ImGui::IsItemFocused()) return;
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home, ImGuiKey_End};
  own_keys(kKeys);
  const std::size_t now = step();
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) go_to(now - 1);
  if (ImGui::IsKeyPressed(kKeys[1])) go_to(now + 1);
  if (ImGui::IsKeyPressed(kKeys[2])) go_to(0);
  if (ImGui::IsKeyPressed(kKeys[3])) go_to(last_);
}

void Track::draw() {
  const float top = area_.corner.y + (kHeight - kTrackIcon) / 2,
              right = area_.corner.x + area_.width;
  const std::size_t now = step();
  if (icon_button(ui_, "step before", {area_.corner.x, top}, Icon::chevron_left,
                  ui_.tr("gui.track.before"), kTrackIcon) &&
      now > 0)
    go_to(now - 1);
  if (icon_button(ui_, "step after", {right - kTrackIcon, top}, Icon::chevron_right,
                  ui_.tr("gui.track.after"), kTrackIcon))
    go_to(now + 1);
  const float from = area_.corner.x + kTrackIcon + 2 * kStop, to = right - kTrackIcon - 2 * kStop,
              middle = area_.corner.y + kHeight / 2;
  item("steps", {from - kStop, top}, {to + kStop, top + kTrackIcon});
  step_by_keys();
  tip(ui_, ui_.tr("gui.track.how"));
  const float apart = last_ == 0 ? 0 : (to - from) / static_cast<float>(last_);
  if (ImGui::IsItemActive() && apart > 0) {
    const float at = (ImGui::GetMousePos().x - from) / apart;
    go_to(static_cast<std::size_t>(std::lround(std::max(0.0f, at))));
  }
  draw_stops(from, to, middle, apart);
}

void Track::draw_stops(float from, float to, float middle, float apart) const {
  ImDrawList* list = ui_.ink().list();
  list->AddLine({from, middle}, {to, middle}, ui_.theme.line, 2);
  const std::size_t now = step();
  for (std::size_t stop = 0; stop <= last_; ++stop) {
    const ImVec2 at{from + apart * static_cast<float>(stop), middle};
    list->AddCircleFilled(at, stop == now ? kStop + 2 : kStop - 1,
                          stop == now ? ui_.theme.accent : ui_.theme.t3);
  }
}

}  // namespace warpbook::gui
