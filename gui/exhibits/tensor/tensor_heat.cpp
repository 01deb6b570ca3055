// A tensor as a heat map or a grey image, its planes beside each other; a scale with its numbers below.
#include <algorithm>
#include <cmath>
#include <string>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/tensor/heat_bar.hpp"
#include "gui/exhibits/tensor/heat_layout.hpp"
#include "gui/exhibits/tensor/heat_texture.hpp"
#include "gui/exhibits/tensor/tensor_views.hpp"

namespace warpbook::gui {
namespace {
using TensorView = lab::TensorExhibit::View;

constexpr float kTensorHeatLine = 24, kScale = 24, kRampWidth = 160, kNumbersFrom = 26,
                kSignsFrom = 14;
constexpr std::size_t kMostNumbers = 256, kRampSteps = 24;
/// Colours are told apart so finely; neighbours of one colour are drawn as one.
constexpr float kShades = 64;

HeatCells heat_cells(const TensorFrame& place, const lab::TensorLayout& layout) {
  HeatCells made{lab::raster_with(place.tensor, place.view, layout), {}, 0, 0, {}};
  for (std::size_t i = 0; i < made.raster.cells.size(); ++i) {
    const lab::TensorMarks& marks = made.raster.cells[i].marks;
    if (marks == lab::TensorMarks{}) continue;
    made.any.nan |= marks.nan;
    made.any.infinite |= marks.infinite;
    made.any.wrong |= marks.wrong;
    made.wrong += marks.wrong ? 1 : 0;
    if (made.marked++ < kMostOutlines) made.first_marked.push_back(i);
  }
  return made;
}

class Heat {
 public:
  explicit Heat(const TensorFrame& place)
      : place_(place),
        ui_(place.ui()),
        ink_(place.ui().ink()),
        layout_(heat_layout(place.tensor, place.view, place.width)),
        cells_(cells()),
        raster_(cells_.raster),
        scale_(scale_of(place)),
        cell_(layout_.cell.x) {}

  [[nodiscard]] float draw() const {
    if (raster_.planes == 0) return 0;
    const float high = layout_.height();
    if (place_.draw()) {
      if (layout_.texture) {
        draw_heat_texture(place_, layout_, cells_);
      } else {
        for (std::uint64_t plane = 0; plane < raster_.planes; ++plane) draw_plane(plane);
      }
      const auto hovered = point();
      if (const auto pinned = pinned_element(place_)) outline(*pinned);
      say(place_.corner.y + high + kTensorHeatLine / 2, hovered);
      draw_scale(place_.corner.y + high + kTensorHeatLine);
    }
    float used = high + kTensorHeatLine + kScale;
    used += say_shared_scale(place_, place_.corner.y + used);
    used += layout_.texture ? say_texture_marks(place_, place_.corner.y + used, cells_.any)
                            : say_marks(place_, place_.corner.y + used, cells_.any);
    for (const std::string& remark : lab::remarks_of(raster_, place_.view, ui_.book.strings())) {
      used += words({ui_, {place_.corner.x, place_.corner.y + used}, place_.width, place_.draw()},
                    remark, ui_.caption_style());
    }
    return used;
  }

 private:
  [[nodiscard]] const HeatCells& cells() const {
    return ui_.cache.get<HeatCells>(
        place_.tensor.data.data(),
        kept_as(TensorPart::raster, place_.view, raster_key(layout_.cells)),
        [&] { return heat_cells(place_, layout_.cells); });
  }
  [[nodiscard]] ImVec2 corner_of(std::uint64_t plane) const {
    const ImVec2 at = layout_.corner_of(plane);
    return {place_.corner.x + at.x, place_.corner.y + at.y};
  }

  [[nodiscard]] static bool plain(const lab::TensorCell& cell) {
    return cell.marks == lab::TensorMarks{} && !std::isnan(cell.value);
  }
  [[nodiscard]] float shade_of(const lab::TensorCell& cell) const {
    return std::round(static_cast<float>(scale_.share(cell.value)) * (kShades - 1)) / (kShades - 1);
  }
  [[nodiscard]] Colour colour_at(float share) const { return heat_colour(place_.view, share); }

  void draw_plane(std::uint64_t plane) const {
    const ImVec2 corner = corner_of(plane);
    if (!ImGui::IsRectVisible({corner.x, corner.y - layout_.title},
                              {corner.x + static_cast<float>(raster_.plane_columns) * cell_,
                               corner.y + static_cast<float>(raster_.plane_rows) * cell_}))
      return;
    if (layout_.title > 0) {
      const Type type{Face::mono, 12, ui_.theme.t3};
      ink_.text_middle(corner.x, corner.y - layout_.title / 2, type,
                       ink_.fitted(type, lab::plane_name(place_.tensor, plane),
                                   static_cast<float>(raster_.plane_columns + 1) * cell_));
    }
    for (std::uint64_t row = 0; row < raster_.plane_rows; ++row) {
      const float top = corner.y + static_cast<float>(row) * cell_;
      if (!ImGui::IsRectVisible({corner.x, top}, {corner.x + place_.width, top + cell_})) continue;
      draw_row(plane, row, corner.x, top);
    }
  }

  void draw_row(std::uint64_t plane, std::uint64_t row, float left, float top) const {
    for (std::uint64_t column = 0; column < raster_.plane_columns;) {
      const lab::TensorCell& cell = raster_.at(plane, row, column);
      std::uint64_t past = column + 1;
      const float x = left + static_cast<float>(column) * cell_;
      if (plain(cell)) {
        const float shade = shade_of(cell);
        while (past < raster_.plane_columns && plain(raster_.at(plane, row, past)) &&
               shade_of(raster_.at(plane, row, past)) == shade)
          ++past;
        ink_.fill({x, top}, {left + static_cast<float>(past) * cell_, top + cell_},
                  colour_at(shade));
        for (std::uint64_t i = column; i < past; ++i)
          draw_number(raster_.at(plane, row, i), left + static_cast<float>(i) * cell_, top, shade);
      } else {
        if (!std::isfinite(cell.value) || cell.marks.nan || cell.marks.infinite) {
          while (past < raster_.plane_columns && raster_.at(plane, row, past).marks == cell.marks &&
                 std::isfinite(raster_.at(plane, row, past).value) == std::isfinite(cell.value))
            ++past;
        }
        ink_.fill({x, top}, {left + static_cast<float>(past) * cell_, top + cell_},
                  ground_of(cell));
        for (std::uint64_t i = column; i < past; ++i)
          draw_marks(raster_.at(plane, row, i), left + static_cast<float>(i) * cell_, top);
      }
      column = past;
    }
  }

  void draw_number(const lab::TensorCell& cell, float x, float top, float shade) const {
    if (cell_ < kNumbersFrom || raster_.cells.size() > kMostNumbers) return;
    const Type type{Face::mono, 12, text_on(colour_at(shade))};
    const std::string says = lab::element_figure(place_.tensor, cell.index);
    if (ink_.width(type, says) > cell_ - 2) return;
    ink_.text_middle(x + cell_ / 2, top + cell_ / 2, type, says, Align::centre);
  }

  [[nodiscard]] Colour ground_of(const lab::TensorCell& cell) const {
    if (cell.marks.nan) return ui_.theme.bad_tint;
    if (cell.marks.infinite) return ui_.theme.warn_tint;
    if (std::isnan(cell.value)) return ui_.theme.s3;  // the data ended before the shape
    return colour_at(shade_of(cell));
  }

  /// What is not a number has a stroke across, what is infinite an upright one, or their signs where there is room; what
  /// is wrong a square in the corner, and a frame where they are few.
  void draw_marks(const lab::TensorCell& cell, float x, float top) const {
    const bool nan = cell.marks.nan, few = raster_.cells.size() <= kMostNumbers;
    if (nan || cell.marks.infinite) {
      const Colour colour = nan ? ui_.theme.bad : ui_.theme.warn;
      const float middle = x + cell_ / 2;
      if (few && cell_ >= kSignsFrom)
        ink_.text_middle(middle, top + cell_ / 2, {Face::mono, 14, colour}, nan ? "×" : "∞",
                         Align::centre);
      else if (nan)
        ink_.list()->AddLine({x, top + cell_}, {x + cell_, top}, colour, 1);
      else
        ink_.list()->AddLine({middle, top}, {middle, top + cell_}, colour, 1);
    } else if (!std::isnan(cell.value)) {
      draw_number(cell, x, top, shade_of(cell));
    }
    if (!cell.marks.wrong) return;
    const float side = std::max(2.0f, std::floor(cell_ / 3)), right = x + cell_;
    ink_.fill({right - side, top}, {right, top + side}, ui_.theme.bad);
    if (few && cell_ >= kNumbersFrom)
      ink_.text_middle(right - side / 2, top + side / 2, {Face::mono, 10, ui_.theme.s0}, "!",
                       Align::centre);
    if (cells_.wrong <= kMostOutlines) ink_.outline({x, top}, {right, top + cell_}, ui_.theme.bad);
  }

  /// About the cell that shows an element.
  void outline(std::uint64_t element) const {
    const auto cell = layout_.cell_of(lab::planes_of(place_.tensor), element);
    if (!cell) return;
    const ImVec2 at = layout_.corner_of_cell(*cell),
                 min{place_.corner.x + at.x, place_.corner.y + at.y};
    ink_.outline({min.x - 1, min.y - 1}, {min.x + layout_.cell.x + 1, min.y + layout_.cell.y + 1},
                 ui_.theme.accent, 0, measure::kRing);
  }

  /// The number of the cell under the mouse; a press pins its element.
  [[nodiscard]] std::optional<std::size_t> point() const {
    const bool pressed = item("cells", place_.corner,
                              {place_.corner.x + place_.width, place_.corner.y + layout_.height()});
    step_by_arrows(place_, raster_.step, lab::planes_of(place_.tensor).columns * raster_.step);
    if (!ImGui::IsItemHovered()) return std::nullopt;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto cell = layout_.cell_at({mouse.x - place_.corner.x, mouse.y - place_.corner.y});
    if (!cell || raster_.cells[*cell].index >= lab::held(place_.tensor)) return std::nullopt;
    if (pressed) pin_element(place_, raster_.cells[*cell].index);
    return cell;
  }

  /// One line: the element or elements under the mouse, else the pinned one.
  void say(float middle, std::optional<std::size_t> hovered) const {
    if (!hovered || raster_.step == 1) {
      say_element(place_, middle,
                  hovered ? std::optional(raster_.cells[*hovered].index) : std::nullopt);
      return;
    }
    const Type type = ui_.figures(ui_.theme.t1);
    ink_.text_middle(
        place_.corner.x, middle, type,
        ink_.fitted(
            type, lab::cell_text(place_.tensor, place_.view, raster_, *hovered, ui_.book.strings()),
            place_.width));
  }

  void draw_scale(float top) const {
    const float middle = top + kScale / 2;
    const Type type{Face::mono, 13, ui_.theme.t2};
    const std::string low = lab::figure(scale_.low), high = lab::figure(scale_.high);
    ink_.text_middle(place_.corner.x, middle, type, low);
    const float left = place_.corner.x + ink_.width(type, low) + 8,
                right = place_.corner.x + place_.width - ink_.width(type, high) - 8,
                ramp = std::clamp(right - left, 1.0f, kRampWidth);
    for (std::size_t i = 0; i < kRampSteps; ++i) {
      const float share = static_cast<float>(i) / (kRampSteps - 1);
      const float x = left + ramp * static_cast<float>(i) / kRampSteps;
      ink_.fill({x, middle - 5}, {x + ramp / kRampSteps, middle + 5}, colour_at(share));
    }
    ink_.text_middle(left + ramp + 8, middle, type, high);
  }

  const TensorFrame& place_;
  const Ui& ui_;
  Ink ink_;
  HeatLayout layout_;
  const HeatCells& cells_;
  const lab::TensorRaster& raster_;
  const lab::TensorScale& scale_;
  float cell_;  ///< of cells that are drawn one by one: their side
};
}  // namespace

float tensor_heat(const TensorFrame& place) { return Heat(place).draw(); }

}  // namespace warpbook::gui
