#include "lab/exhibits/tile/tile_picture.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::lab {
namespace {

constexpr double kTileHead = 22, kBetweenSteps = 16, kWidestTileCell = 22, kLeastBesideCell = 8,
                 kTileDigitsFrom = 15, kGapFrom = 5;
constexpr Letters kTileHeading{Letters::Face::sans, 13}, kTileDigits{Letters::Face::mono, 9};

class TileDrawing {
 public:
  TileDrawing(const TileExhibit& tile, const TileLayout& layout, const TileMarks& marks,
              const Canvas& canvas)
      : tile_(tile), layout_(layout), marks_(marks), canvas_(canvas) {
    drawing_.width = layout.width();
    drawing_.height = layout.height();
    for (std::size_t i = 0; i < layout.steps().count; ++i) place_step(layout.steps().first + i);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_step(std::size_t step) {
    const Area head = layout_.head(step);
    drawing_.text({head.x, head.y + kTileHead / 2 - 2},
                  canvas_.fitted(kTileHeading, step_name(canvas_.strings, step), head.width),
                  kTileHeading, Role::t3);
    const std::vector<TilePlace> places = places_in(tile_, step);
    const std::uint32_t most = figures_of(tile_, step).most_reads;
    for (std::uint32_t place = 0; place < places.size(); ++place)
      place_cell(layout_.at(step, place), places[place], most);
    for (std::uint32_t place = 0; place < places.size(); ++place)
      mark(layout_.at(step, place), places[place], place);
  }

  void place_cell(const Area& at, const TilePlace& place, std::uint32_t most_reads) {
    if (place.is_undefined()) {
      drawing_.rectangle(at, Role::bad_tint);
      drawing_.hatch(at, {Role::bad}, 5);
    } else if (place.is_read()) {
      const double share = most_reads > 1 ? static_cast<double>(place.touched->reads - 1) /
                                                static_cast<double>(most_reads - 1)
                                          : 1;
      const Rgb fill = sequence_colour(share);
      drawing_.rectangle(at, Paint::of_value(fill));
      count(at, place.touched->reads, fill);
    } else if (place.is_written()) {
      drawing_.rectangle(at, {category(warp_of(place)), 0.55});
    } else if (place.filled) {
      drawing_.rectangle(at, Role::s4);
    } else {
      drawing_.outline(at, {Role::line, 1, kFineDashes});
    }
    if (place.is_read() && place.is_written()) drawing_.outline(at, {category(warp_of(place)), 2});
  }
  static std::size_t warp_of(const TilePlace& place) {
    return place.touched->writer / device::kLanes;
  }

  void count(const Area& at, std::uint32_t reads, Rgb fill) {
    if (layout_.cell() < kTileDigitsFrom) return;
    const std::string text = std::to_string(reads);
    if (canvas_.text_width(kTileDigits, text) <= at.width)
      drawing_.text(at.middle(), text, kTileDigits, Paint::of_value(ink_on(fill)), Anchor::middle);
  }

  void mark(const Area& at, const TilePlace& place, std::uint32_t number) {
    const double stroke = layout_.cell() < kLeastBesideCell ? 1 : 2;
    if (marks_.thread && place.touched && is_touched_by(*place.touched, *marks_.thread))
      drawing_.outline(at, {Role::accent, stroke});
    if (marks_.place == number) drawing_.outline(at.grown(1), {Role::t1, stroke});
  }
  static bool is_touched_by(const TileExhibit::Cell& cell, std::uint32_t thread) {
    return (cell.writes != 0 && cell.writer == thread) ||
           std::ranges::binary_search(cell.readers, thread);
  }

  const TileExhibit& tile_;
  const TileLayout& layout_;
  const TileMarks& marks_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

TileLayout::TileLayout(const TileExhibit& tile, const TileSteps& steps, double width)
    : rows_(std::max(1u, tile.rows)),
      columns_(std::max(1u, tile.columns)),
      steps_(steps),
      width_(width) {
  const auto across = [&](std::size_t beside) {
    const auto grids = static_cast<double>(beside);
    return (width - (grids - 1) * kBetweenSteps) / grids / columns_;
  };
  while (beside_ < steps.count && across(beside_ + 1) >= kLeastBesideCell) ++beside_;
  cell_ = std::clamp(std::floor(2 * across(beside_)) / 2, 1.0, kWidestTileCell);
}

double TileLayout::height() const {
  const std::size_t lines = (steps_.count + beside_ - 1) / beside_;
  return static_cast<double>(lines) * (kTileHead + rows_ * cell_ + kBetweenSteps) - kBetweenSteps;
}

Area TileLayout::head(std::size_t step) const {
  const Area at = grid(step);
  const double room = (width_ + kBetweenSteps) / static_cast<double>(beside_) - kBetweenSteps;
  return {at.x, at.y - kTileHead, std::max(room, at.width), kTileHead};
}

Area TileLayout::grid(std::size_t step) const {
  const std::size_t number = step - steps_.first;
  const double room = (width_ + kBetweenSteps) / static_cast<double>(beside_);
  const auto rows_above = number / beside_;
  return {static_cast<double>(number % beside_) * room,
          kTileHead + static_cast<double>(rows_above) * (kTileHead + rows_ * cell_ + kBetweenSteps),
          columns_ * cell_, rows_ * cell_};
}

Area TileLayout::at(std::size_t step, std::uint32_t place) const {
  const Area all = grid(step);
  const double gap = cell_ < kGapFrom ? 0.5 : 1;
  const auto row = place / columns_, column = place % columns_;
  return {all.x + column * cell_, all.y + row * cell_, cell_ - gap, cell_ - gap};
}

std::optional<std::uint32_t> TileLayout::place_at(std::size_t step, const Point& point) const {
  const Area all = grid(step);
  if (!all.holds(point)) return {};
  const auto column = std::min(columns_ - 1, static_cast<std::uint32_t>((point.x - all.x) / cell_)),
             row = std::min(rows_ - 1, static_cast<std::uint32_t>((point.y - all.y) / cell_));
  return row * columns_ + column;
}

Drawing drawing_of(const TileExhibit& tile, const TileLayout& layout, const TileMarks& marks,
                   const Canvas& canvas) {
  return TileDrawing(tile, layout, marks, canvas).take();
}

}  // namespace warpbook::lab
