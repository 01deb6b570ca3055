// The picture of several devices under mouse and keyboard, and the shown device or link in words.
#include <algorithm>
#include <array>
#include <optional>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/devices/devices_picture.hpp"

namespace warpbook::gui {
namespace {

constexpr float kDevicesWords = 44;

using Devices = lab::DevicesExhibit;
using ShownPart = std::optional<lab::DevicesPart>;

/// Devices and links as one list of numbers, devices first, as the arrow keys go through it.
std::size_t parts_of(const Devices& devices) {
  return devices.devices.size() + devices.links.size();
}
std::size_t number_of(const Devices& devices, const lab::DevicesPart& part) {
  return part.number + (part.kind == lab::DevicesPart::Kind::link ? devices.devices.size() : 0);
}
ShownPart part_of(const Devices& devices, std::size_t number) {
  if (number >= parts_of(devices)) return {};
  const std::size_t first_link = devices.devices.size();
  using Kind = lab::DevicesPart::Kind;
  return number < first_link ? lab::DevicesPart{Kind::device, number}
                             : lab::DevicesPart{Kind::link, number - first_link};
}

/// What was chosen last: a choice of the view's own, kept by ImGui.
ShownPart kept_part(const Devices& devices) {
  return part_of(devices, kept("part", parts_of(devices)));
}

void step_by_keys(const Devices& devices) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  const ShownPart now = kept_part(devices);
  const std::size_t number = now ? number_of(devices, *now) : 0;
  if (ImGui::IsKeyPressed(kKeys[0]) && number > 0) keep("part", number - 1);
  if (ImGui::IsKeyPressed(kKeys[1]))
    keep("part", now ? std::min(number + 1, parts_of(devices) - 1) : 0);
}

/// Hovering shows what is under the mouse, a press keeps it; the arrow keys go from one to the next.
ShownPart shown_part(const FigureArea& area, const Devices& devices,
                     const lab::DevicesPlane& plane) {
  const bool pressed =
      item_over("devices", area.corner, {0, 0, static_cast<double>(area.width), plane.height()});
  if (ImGui::IsItemFocused()) step_by_keys(devices);
  if (!ImGui::IsItemHovered()) return kept_part(devices);
  const ShownPart over = plane.part_at(mouse_in(area.corner));
  if (over && pressed) keep("part", number_of(devices, *over));
  return over ? over : kept_part(devices);
}

std::string words_of(const Devices& devices, const ShownPart& part, const Ui& ui) {
  if (!part) return ui.tr("gui.devices.how");
  return part->kind == lab::DevicesPart::Kind::device
             ? lab::device_text(devices, part->number, ui.book.strings())
             : lab::link_text(devices, part->number, ui.book.strings());
}

}  // namespace

float figure_of(const FigureArea& area, const Devices& devices, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (devices.devices.empty()) return words(area, ui.tr("devices.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::DevicesPlane>(
      area, &devices, [&] { return lab::DevicesPlane(devices, static_cast<double>(area.width)); });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kDevicesWords;
  const ShownPart shown = shown_part(area, devices, plane);
  draw_kept(area, &devices, FigureInputs(shown ? number_of(devices, *shown) : parts_of(devices)),
            [&] { return drawing_of(devices, plane, shown, canvas); });
  words({ui, {area.corner.x, area.corner.y + below + 4}, area.width, true},
        words_of(devices, shown, ui), ui.caption_style());
  return below + kDevicesWords;
}

}  // namespace warpbook::gui
