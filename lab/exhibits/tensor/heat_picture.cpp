#include "lab/exhibits/tensor/heat_picture.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::lab {
namespace {

using View = TensorExhibit::View;
using Face = Letters::Face;

constexpr double kHeatRampWide = 160, kHeatNumbersFrom = 26, kHeatSignsFrom = 14, kHeatRing = 2;
/// About a marked cell of a texture, in points.
constexpr double kSignAbout = 4;
constexpr std::size_t kMostHeatNumbers = 256, kHeatRampSteps = 24;
/// Colours are told apart so finely; neighbours of one colour are drawn as one.
constexpr double kHeatShades = 64;
constexpr Letters kPlaneName{Face::mono, 12}, kHeatNumber{Face::mono, 12},
    kHeatSign{Face::mono, 14}, kHeatScale{Face::mono, 13}, kHeatAlarm{Face::mono, 10};

bool is_plain(const TensorCell& cell) {
  return cell.marks == TensorMarks{} && !std::isnan(cell.value);
}

class HeatDrawing {
 public:
  HeatDrawing(const HeatPicture& picture, const Canvas& canvas)
      : picture_(picture),
        layout_(picture.layout),
        raster_(picture.cells.raster),
        canvas_(canvas),
        cell_(picture.layout.cell.x),
        few_(raster_.cells.size() <= kMostHeatNumbers) {
    drawing_.width = canvas.width;
    drawing_.height = layout_.height() + kHeatScaleHigh;
    for (std::uint64_t plane = 0; plane < raster_.planes; ++plane) place_plane(plane);
    if (layout_.texture && picture.cells.marked <= kMostHeatOutlines) {
      for (const std::size_t cell : picture.cells.first_marked) place_sign_about(cell);
    }
    place_outlined();
    place_scale();
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_plane(std::uint64_t plane) {
    const Point corner = layout_.corner_of(plane);
    if (layout_.title > 0) {
      drawing_.text({corner.x, corner.y - layout_.title / 2},
                    canvas_.fitted(kPlaneName, plane_name(picture_.tensor, plane),
                                   layout_.plane_width() + (layout_.texture ? 0 : cell_)),
                    kPlaneName, Role::t3);
    }
    if (layout_.texture) return;
    for (std::uint64_t row = 0; row < raster_.plane_rows; ++row)
      place_row(plane, row, {corner.x, corner.y + static_cast<double>(row) * cell_});
  }

  void place_row(std::uint64_t plane, std::uint64_t row, const Point& corner) {
    for (std::uint64_t column = 0; column < raster_.plane_columns;) {
      const TensorCell& cell = raster_.at(plane, row, column);
      std::uint64_t past = column + 1;
      while (past < raster_.plane_columns && look_alike(cell, raster_.at(plane, row, past))) ++past;
      const double x = corner.x + static_cast<double>(column) * cell_;
      if (const Paint ground = ground_of(cell); ground.visible())
        drawing_.rectangle({x, corner.y, static_cast<double>(past - column) * cell_, cell_},
                           ground);
      for (; column < past; ++column) {
        place_marks(raster_.at(plane, row, column),
                    {corner.x + static_cast<double>(column) * cell_, corner.y, cell_, cell_});
      }
    }
  }

  [[nodiscard]] double shade_of(const TensorCell& cell) const {
    return std::round(picture_.scale.share(cell.value) * (kHeatShades - 1)) / (kHeatShades - 1);
  }
  /// Whether both have one ground; the marks on it are drawn for each.
  [[nodiscard]] bool look_alike(const TensorCell& a, const TensorCell& b) const {
    if (is_plain(a) != is_plain(b)) return false;
    if (is_plain(a)) return shade_of(a) == shade_of(b);
    return a.marks == b.marks && !std::isfinite(a.value) && !std::isfinite(b.value);
  }
  [[nodiscard]] Rgb colour_of(const TensorCell& cell) const {
    return heat_colour(picture_.view, shade_of(cell));
  }
  [[nodiscard]] Paint ground_of(const TensorCell& cell) const {
    if (cell.marks.nan) return Role::bad_tint;
    if (cell.marks.infinite) return Role::warn_tint;
    if (std::isnan(cell.value)) return Role::s3;  // the data ended before the shape
    return Paint::of_value(colour_of(cell));
  }

  /// What is not a number has a stroke across, what is infinite an upright one, or their signs where there is room; what
  /// is wrong a square in the corner, and a frame where they are few.
  void place_marks(const TensorCell& cell, const Area& at) {
    if (cell.marks.nan || cell.marks.infinite)
      place_sign(cell.marks.nan, at);
    else if (!std::isnan(cell.value))
      place_number(cell, at);
    if (!cell.marks.wrong) return;
    const double side = std::max(2.0, std::floor(cell_ / 3));
    drawing_.rectangle({at.right() - side, at.y, side, side}, Role::bad).id =
        ItemId{"wrong", cell.index};
    if (few_ && cell_ >= kHeatNumbersFrom)
      drawing_.text({at.right() - side / 2, at.y + side / 2}, "!", kHeatAlarm, Role::s0,
                    Anchor::middle);
    if (picture_.cells.wrong <= kMostHeatOutlines) drawing_.outline(at, {Role::bad});
  }
  void place_sign(bool nan, const Area& at) {
    const Role colour = nan ? Role::bad : Role::warn;
    const double middle = at.middle().x;
    if (few_ && cell_ >= kHeatSignsFrom)
      drawing_.text(at.middle(), nan ? "×" : "∞", kHeatSign, colour, Anchor::middle);
    else if (nan)
      drawing_.line({at.x, at.bottom()}, {at.right(), at.y}, {colour});
    else
      drawing_.line({middle, at.y}, {middle, at.bottom()}, {colour});
  }
  void place_number(const TensorCell& cell, const Area& at) {
    if (cell_ < kHeatNumbersFrom || !few_) return;
    const std::string says = element_figure(picture_.tensor, cell.index);
    if (canvas_.text_width(kHeatNumber, says) > cell_ - 2) return;
    drawing_.text(at.middle(), says, kHeatNumber, Paint::of_value(ink_on(colour_of(cell))),
                  Anchor::middle);
  }

  [[nodiscard]] Area area_of(std::size_t cell) const {
    const Point corner = layout_.corner_of_cell(cell);
    return {corner.x, corner.y, layout_.cell.x, layout_.cell.y};
  }

  /// Of a texture's cell: what is not a number is crossed, what is infinite between two uprights, what is wrong in a frame.
  void place_sign_about(std::size_t cell) {
    const Area at = area_of(cell).grown(kSignAbout);
    const TensorMarks& marks = raster_.cells[cell].marks;
    const Stroke bad{Role::bad, kHeatRing}, warn{Role::warn, kHeatRing};
    if (marks.wrong) drawing_.outline(at, bad);
    if (marks.nan) {
      drawing_.line({at.x, at.y}, {at.right(), at.bottom()}, bad);
      drawing_.line({at.x, at.bottom()}, {at.right(), at.y}, bad);
    } else if (marks.infinite) {
      drawing_.line({at.x, at.y}, {at.x, at.bottom()}, warn);
      drawing_.line({at.right(), at.y}, {at.right(), at.bottom()}, warn);
    }
  }

  void place_outlined() {
    if (!picture_.outlined) return;
    const auto cell = layout_.cell_of(planes_of(picture_.tensor), *picture_.outlined);
    if (cell) drawing_.outline(area_of(*cell).grown(1), {Role::accent, kHeatRing});
  }

  void place_scale() {
    const double middle = layout_.height() + kHeatScaleHigh / 2;
    const std::string low = figure(picture_.scale.low), high = figure(picture_.scale.high);
    const double left = canvas_.text_width(kHeatScale, low) + 8,
                 right = canvas_.width - canvas_.text_width(kHeatScale, high) - 8,
                 ramp = std::clamp(right - left, 1.0, kHeatRampWide), step = ramp / kHeatRampSteps;
    drawing_.text({0, middle}, low, kHeatScale, Role::t2);
    for (std::size_t i = 0; i < kHeatRampSteps; ++i) {
      const double share = static_cast<double>(i) / (kHeatRampSteps - 1);
      drawing_
          .rectangle({left + step * static_cast<double>(i), middle - 5, step, 10},
                     Paint::of_value(heat_colour(picture_.view, share)))
          .id = ItemId{"scale", i};
    }
    drawing_.text({left + ramp + 8, middle}, high, kHeatScale, Role::t2);
  }

  const HeatPicture& picture_;
  const HeatLayout& layout_;
  const TensorRaster& raster_;
  const Canvas& canvas_;
  double cell_;  // of cells that are drawn one by one: their side
  bool few_;     // so that numbers and signs have room
  Drawing drawing_;
};

}  // namespace

HeatCells heat_cells(const TensorExhibit& tensor, View view, const TensorLayout& layout) {
  HeatCells made{raster_with(tensor, view, layout), {}, 0, 0, {}};
  for (std::size_t i = 0; i < made.raster.cells.size(); ++i) {
    const TensorMarks& marks = made.raster.cells[i].marks;
    if (marks == TensorMarks{}) continue;
    made.any.nan |= marks.nan;
    made.any.infinite |= marks.infinite;
    made.any.wrong |= marks.wrong;
    made.wrong += marks.wrong ? 1 : 0;
    if (made.marked++ < kMostHeatOutlines) made.first_marked.push_back(i);
  }
  return made;
}

Rgb heat_colour(View view, double share) {
  return view == View::image ? grey(share) : sequence_colour(share);
}

Drawing drawing_of(const HeatPicture& picture, const Canvas& canvas) {
  return HeatDrawing(picture, canvas).take();
}

}  // namespace warpbook::lab
