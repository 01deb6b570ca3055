#include "gui/exhibits/sectors/sector_places.hpp"

#include <algorithm>
#include <string>

#include "gui/controls/widgets.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"

namespace warpbook::gui {
namespace {
constexpr float kPlace = 24;
constexpr std::size_t kMostPlaces = 6;

std::size_t places_shown(const lab::SectorsExhibit& sectors) {
  return std::min(sectors.places.size(), kMostPlaces);
}

/// Sectors a request and, where there is room beside the access's own name, bytes.
std::string place_moves(const Ui& ui, const lab::SectorsExhibit::Place& place, float width) {
  constexpr float kNames = 150, kLeast = 20;
  const Ink ink = ui.ink();
  const std::string each =
      lab::number(place.requests == 0
                      ? 0
                      : static_cast<double>(place.sectors) / static_cast<double>(place.requests),
                  4);
  std::string says = ui.tr("gui.sectors.place",
                           {{"count", each},
                            {"asked", lab::byte_count(place.bytes_asked)},
                            {"moved", lab::byte_count(place.sectors * device::kSectorBytes)}});
  if (ink.width(ui.note(), says) > width - kNames)
    says = ui.tr("gui.sectors.place-short", {{"count", each}});
  return ink.fitted(ui.note(), says, std::max(kLeast, width - kNames));
}

void draw_place(const FigureArea& area, const lab::SectorsExhibit& sectors,
                const lab::SectorsExhibit::Place& place, bool chosen) {
  const Ui& ui = area.ui;
  const Ink ink = ui.ink();
  const ImVec2 corner = area.corner;
  if (chosen || ImGui::IsItemHovered()) {
    ink.fill({corner.x, corner.y + 1}, {corner.x + area.width, corner.y + kPlace - 1},
             chosen ? ui.theme.s4 : ui.theme.s3, measure::kCellRadius);
  }
  const float middle = corner.y + kPlace / 2;
  const Type number{Face::mono, 13, ui.theme.t3}, text{Face::sans, 14, ui.theme.t1};
  ink.text_middle(corner.x + 28, middle, number, std::to_string(place.line), Align::right);
  const std::string moves = place_moves(ui, place, area.width);
  ink.text_middle(corner.x + area.width - 8, middle, ui.note(), moves, Align::right);
  const float room = std::max(20.0f, area.width - ink.width(ui.note(), moves) - 60);
  ink.label(corner.x + 40, middle, text, lab::access_text(sectors, place, ui.book.strings()), room);
}
}  // namespace

float sector_places_height(const lab::SectorsExhibit& sectors) {
  return static_cast<float>(places_shown(sectors)) * kPlace;
}

std::optional<std::size_t> sector_places(const FigureArea& area, const lab::SectorsExhibit& sectors,
                                         std::optional<std::size_t> chosen) {
  std::optional<std::size_t> pressed;
  for (std::size_t i = 0; i < places_shown(sectors); ++i) {
    const ImVec2 corner{area.corner.x, area.corner.y + static_cast<float>(i) * kPlace};
    ImGui::PushID(static_cast<int>(i));
    if (item("place", corner, {corner.x + area.width, corner.y + kPlace})) pressed = i;
    draw_place({area.ui, corner, area.width}, sectors, sectors.places[i], chosen == i);
    ImGui::PopID();
  }
  return pressed;
}

}  // namespace warpbook::gui
