// A tile step by step, under mouse and keyboard: a track from step to step, the places of the step, and in words what is pointed at.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/track.hpp"
#include "lab/exhibits/tile/tile_picture.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
using Tile = lab::TileExhibit;

constexpr float kTileWords = 88;

class TilePanel {
 public:
  TilePanel(const FigureArea& area, const Tile& tile)
      : area_(area), ui_(area.ui), tile_(tile), track_(area, tile.steps.size(), 0) {}

  void draw() {
    track_.draw();
    const FigureArea below{
        ui_, {area_.corner.x, area_.corner.y + Track::kHeight}, area_.width, true};
    const std::size_t step = track_.step();
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

  /// What the mouse is over; a press on a place pins the thread that wrote it, or the first that read it.
  std::optional<std::uint32_t> point_at_places(const FigureArea& below,
                                               const lab::TileLayout& layout, std::size_t step) {
    const bool pressed = item_over("places", below.corner, layout.grid(step));
    track_.step_by_keys();
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
  const Tile& tile_;
  Track track_;
};
}  // namespace

float figure_of(const FigureArea& area, const Tile& tile, const std::string& /*id*/) {
  if (tile.steps.empty() || tile.rows == 0)
    return words(area, area.ui.tr("tile.nothing"), area.ui.caption_style());
  const lab::TileLayout layout(tile, {0, 1}, static_cast<double>(area.width));
  if (area.draw) TilePanel(area, tile).draw();
  return Track::kHeight + static_cast<float>(layout.height()) + kTileWords;
}

}  // namespace warpbook::gui
