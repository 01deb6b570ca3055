// A tile step by step, under mouse and keyboard: a track from step to step, the places of the step, and in words what is pointed at.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/tile/tile_picture.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
using Tile = lab::TileExhibit;

constexpr float kTrack = 32, kStop = 5, kTrackIcon = 26, kTileWords = 88;
constexpr const char* kKeptStep = "step";

std::size_t kept_step(const Tile& tile) {
  return std::min<std::size_t>(kept(kKeptStep, 0), tile.steps.size() - 1);
}

class TilePanel {
 public:
  TilePanel(const FigureArea& area, const Tile& tile)
      : area_(area), ui_(area.ui), ink_(area.ui.ink()), tile_(tile), last_(tile.steps.size() - 1) {}

  void draw() {
    draw_track();
    const FigureArea below{ui_, {area_.corner.x, area_.corner.y + kTrack}, area_.width, true};
    const std::size_t step = kept_step(tile_);
    const lab::TileLayout layout(tile_, {step, 1}, static_cast<double>(area_.width));
    const std::optional<std::uint32_t> place = point_at_places(below, layout, step);
    const lab::TileMarks marks{marked_thread(), place};
    const FigureInputs inputs(std::uint64_t{step}, marks.thread, marks.place);
    draw_kept(below, &tile_, inputs,
              [&] { return drawing_of(tile_, layout, marks, canvas_for(below)); });
    const float words_top = below.corner.y + static_cast<float>(layout.height()) + 6;
    words({ui_, {area_.corner.x, words_top}, area_.width, true},
          place ? cell_text(tile_, step, *place, ui_.book.strings()) : step_says(step, marks),
          ui_.caption_style());
  }

 private:
  [[nodiscard]] std::string step_says(std::size_t step, const lab::TileMarks& marks) const {
    const lab::Strings& strings = ui_.book.strings();
    return lab::sentences(
        strings, std::array{step_text(tile_, step, strings),
                            ui_.tr("tile.legend", {{"thread", std::to_string(*marks.thread)}})});
  }

  void go_to(std::size_t step) { keep(kKeptStep, std::min(step, last_)); }

  /// Left and right step, Home and End go to the ends, while the track or the picture has the focus.
  void step_by_keys() {
    if (!ImGui::IsItemFocused()) return;
    constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home,
                               ImGuiKey_End};
    own_keys(kKeys);
    const std::size_t now = kept_step(tile_);
    if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) go_to(now - 1);
    if (ImGui::IsKeyPressed(kKeys[1])) go_to(now + 1);
    if (ImGui::IsKeyPressed(kKeys[2])) go_to(0);
    if (ImGui::IsKeyPressed(kKeys[3])) go_to(last_);
  }

  /// A button at each end, and between them a stop for each step; dragging along the track scrubs.
  void draw_track() {
    const float top = area_.corner.y + (kTrack - kTrackIcon) / 2,
                right = area_.corner.x + area_.width;
    const std::size_t now = kept_step(tile_);
    if (icon_button(ui_, "step before", {area_.corner.x, top}, Icon::chevron_left,
                    ui_.tr("gui.tile.before"), kTrackIcon) &&
        now > 0)
      go_to(now - 1);
    if (icon_button(ui_, "step after", {right - kTrackIcon, top}, Icon::chevron_right,
                    ui_.tr("gui.tile.after"), kTrackIcon))
      go_to(now + 1);
    const float from = area_.corner.x + kTrackIcon + 2 * kStop, to = right - kTrackIcon - 2 * kStop,
                middle = area_.corner.y + kTrack / 2;
    item("steps", {from - kStop, top}, {to + kStop, top + kTrackIcon});
    step_by_keys();
    tip(ui_, ui_.tr("gui.tile.track"));
    const float apart = last_ == 0 ? 0 : (to - from) / static_cast<float>(last_);
    if (ImGui::IsItemActive() && apart > 0) {
      const float at = (ImGui::GetMousePos().x - from) / apart;
      go_to(static_cast<std::size_t>(std::lround(std::max(0.0f, at))));
    }
    draw_stops(from, to, middle, apart);
  }

  void draw_stops(float from, float to, float middle, float apart) const {
    ink_.list()->AddLine({from, middle}, {to, middle}, ui_.theme.line, 2);
    const std::size_t now = kept_step(tile_);
    for (std::size_t step = 0; step <= last_; ++step) {
      const ImVec2 at{from + apart * static_cast<float>(step), middle};
      ink_.list()->AddCircleFilled(at, step == now ? kStop + 2 : kStop - 1,
                                   step == now ? ui_.theme.accent : ui_.theme.t3);
    }
  }

  /// What the mouse is over; a press on a place pins the thread that wrote it, or the first that read it.
  std::optional<std::uint32_t> point_at_places(const FigureArea& below,
                                               const lab::TileLayout& layout, std::size_t step) {
    const bool pressed = item_over("places", below.corner, layout.grid(step));
    step_by_keys();
    if (!ImGui::IsItemHovered()) return {};
    const auto place = layout.place_at(step, mouse_in(below.corner));
    if (!place) return {};
    const auto& cells = tile_.steps[step].cells;
    const auto found = std::ranges::lower_bound(cells, *place, {}, &Tile::Cell::place);
    if (found != cells.end() && found->place == *place) {
      const std::uint32_t thread = found->writes != 0 ? found->writer : found->readers.front();
      point_at(ui_, link_to(tile_.block, thread), pressed);
    }
    return place;
  }

  /// The thread that is pointed at in any panel, else the one that the exhibit follows.
  [[nodiscard]] std::uint32_t marked_thread() const {
    const auto& linked = ui_.book.link.current().thread;
    return linked && linked->block == tile_.block ? linked->thread : tile_.followed;
  }

  const FigureArea& area_;
  const Ui& ui_;
  Ink ink_;
  const Tile& tile_;
  std::size_t last_;
};
}  // namespace

float figure_of(const FigureArea& area, const Tile& tile, const std::string& /*id*/) {
  if (tile.steps.empty() || tile.rows == 0)
    return words(area, area.ui.tr("tile.nothing"), area.ui.caption_style());
  const lab::TileLayout layout(tile, {0, 1}, static_cast<double>(area.width));
  if (area.draw) TilePanel(area, tile).draw();
  return kTrack + static_cast<float>(layout.height()) + kTileWords;
}

}  // namespace warpbook::gui
