// A tensor as a heat map or a grey image, its planes beside each other; a scale with its numbers below.
#include <algorithm>
#include <cmath>
#include <string>

#include "gui/exhibits/heat_bar.hpp"
#include "gui/exhibits/tensor_views.hpp"
#include "gui/shell/widgets.hpp"

namespace warpbook::gui {
namespace {
using TensorView = lab::TensorExhibit::View;

constexpr float kTensorHeatMostCell = 28, kTensorHeatLeastCell = 5, kLeastPixel = 2,
                kMostHeight = 420, kTitle = 18, kTensorHeatLine = 24, kScale = 24, kRampWidth = 160,
                kNumbersFrom = 26, kSignsFrom = 14;
/// A cell costs up to 8 vertices where it is marked: so many keep a page to its share.
constexpr std::uint64_t kTensorHeatMostCells = 3600;
constexpr std::size_t kMostOutlines = 64, kMostNumbers = 256, kRampSteps = 24;
/// Colours are told apart so finely; neighbours of one colour are drawn as one.
constexpr float kShades = 64;

class Heat {
 public:
  explicit Heat(const TensorFrame& place)
      : place_(place),
        ui_(place.ui()),
        ink_(place.ui().ink()),
        raster_(raster()),
        scale_(scale_of(place)) {
    if (raster_.planes == 0) return;
    title_ = raster_.planes > 1 ? kTitle : 0;
    lay_out();
    for (const lab::TensorCell& each : raster_.cells) {
      any_.nan |= each.marks.nan;
      any_.infinite |= each.marks.infinite;
      any_.wrong |= each.marks.wrong;
      wrong_ += each.marks.wrong ? 1 : 0;
    }
  }

  [[nodiscard]] float draw() const {
    if (raster_.planes == 0) return 0;
    const float high = height();
    if (place_.draw()) {
      for (std::uint64_t plane = 0; plane < raster_.planes; ++plane) draw_plane(plane);
      const auto hovered = point();
      if (const auto pinned = pinned_element(place_)) outline(*pinned);
      say_element(place_, place_.corner.y + high + kTensorHeatLine / 2, hovered);
      draw_scale(place_.corner.y + high + kTensorHeatLine);
    }
    float used = high + kTensorHeatLine + kScale;
    used += say_shared_scale(place_, place_.corner.y + used);
    used += say_marks(place_, place_.corner.y + used, any_);
    for (const std::string& remark : lab::remarks_of(raster_, place_.view, ui_.book.strings())) {
      used += words({ui_, {place_.corner.x, place_.corner.y + used}, place_.width, place_.draw()},
                    remark, ui_.caption_style());
    }
    return used;
  }

 private:
  /// As many planes beside each other as make the cells largest.
  void lay_out() {
    for (std::uint64_t across = 1; across <= raster_.across; ++across) {
      const std::uint64_t down = (raster_.planes + across - 1) / across;
      const auto columns = static_cast<float>(across * (raster_.plane_columns + 1) - 1),
                 rows = static_cast<float>(down * (raster_.plane_rows + 1) - 1);
      const float room = kMostHeight - title_ * static_cast<float>(down);
      const float cell = std::max(
          2.0f, std::floor(std::min({kTensorHeatMostCell, place_.width / columns, room / rows})));
      if (across > 1 && cell < cell_) continue;
      cell_ = cell;
      across_ = across;
      down_ = down;
    }
  }
  [[nodiscard]] const lab::TensorRaster& raster() const {
    const bool image = place_.view == TensorView::image;
    const float least = image ? kLeastPixel : kTensorHeatLeastCell;
    const auto columns = static_cast<std::uint64_t>(std::max(1.0f, place_.width / least));
    return ui_.cache.get<lab::TensorRaster>(
        place_.tensor.data.data(), kept_as(TensorPart::raster, place_.view, columns),
        [&] { return lab::raster_of(place_.tensor, place_.view, columns, kTensorHeatMostCells); });
  }
  [[nodiscard]] float plane_height() const {
    return title_ + static_cast<float>(raster_.plane_rows) * cell_;
  }
  [[nodiscard]] float height() const {
    return static_cast<float>(down_) * (plane_height() + cell_) - cell_;
  }
  /// The corner of a plane's first cell.
  [[nodiscard]] ImVec2 corner_of(std::uint64_t plane) const {
    const std::uint64_t row = plane / across_, column = plane % across_;
    return {place_.corner.x +
                static_cast<float>(column) * static_cast<float>(raster_.plane_columns + 1) * cell_,
            place_.corner.y + static_cast<float>(row) * (plane_height() + cell_) + title_};
  }

  [[nodiscard]] static bool plain(const lab::TensorCell& cell) {
    return cell.marks == lab::TensorMarks{} && !std::isnan(cell.value);
  }
  [[nodiscard]] float shade_of(const lab::TensorCell& cell) const {
    return std::round(static_cast<float>(scale_.share(cell.value)) * (kShades - 1)) / (kShades - 1);
  }
  [[nodiscard]] Colour colour_at(float share) const {
    if (place_.view != TensorView::image) return viridis(share);
    const auto level = static_cast<unsigned>(std::lround(share * 255));
    return rgb(level << 16 | level << 8 | level);
  }

  void draw_plane(std::uint64_t plane) const {
    const ImVec2 corner = corner_of(plane);
    if (!ImGui::IsRectVisible({corner.x, corner.y - title_},
                              {corner.x + static_cast<float>(raster_.plane_columns) * cell_,
                               corner.y + static_cast<float>(raster_.plane_rows) * cell_}))
      return;
    if (title_ > 0) {
      const Type type{Face::mono, 12, ui_.theme.t3};
      ink_.text_middle(corner.x, corner.y - title_ / 2, type,
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
    if (raster_.step > 1 || cell_ < kNumbersFrom || raster_.cells.size() > kMostNumbers) return;
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
    if (wrong_ <= kMostOutlines) ink_.outline({x, top}, {right, top + cell_}, ui_.theme.bad);
  }

  /// The cell that shows an element; none where its plane has no room.
  void outline(std::uint64_t element) const {
    const lab::TensorPlanes shape = lab::planes_of(place_.tensor);
    const std::uint64_t size = shape.rows * shape.columns, plane = element / size;
    if (plane >= raster_.planes) return;
    const ImVec2 corner = corner_of(plane);
    const std::uint64_t row = element % size / shape.columns / raster_.step,
                        column = element % shape.columns / raster_.step;
    const ImVec2 min{corner.x + static_cast<float>(column) * cell_,
                     corner.y + static_cast<float>(row) * cell_};
    ink_.outline({min.x - 1, min.y - 1}, {min.x + cell_ + 1, min.y + cell_ + 1}, ui_.theme.accent,
                 0, measure::kRing);
  }

  [[nodiscard]] std::optional<std::uint64_t> point() const {
    const bool pressed =
        item("cells", place_.corner, {place_.corner.x + place_.width, place_.corner.y + height()});
    step_by_arrows(place_, lab::planes_of(place_.tensor).columns);
    if (!ImGui::IsItemHovered()) return std::nullopt;
    const ImVec2 mouse = ImGui::GetMousePos();
    for (std::uint64_t plane = 0; plane < raster_.planes; ++plane) {
      const ImVec2 corner = corner_of(plane);
      if (mouse.x < corner.x || mouse.y < corner.y) continue;
      const auto column = static_cast<std::uint64_t>((mouse.x - corner.x) / cell_),
                 row = static_cast<std::uint64_t>((mouse.y - corner.y) / cell_);
      if (column >= raster_.plane_columns || row >= raster_.plane_rows) continue;
      const std::uint64_t element = raster_.at(plane, row, column).index;
      if (element >= lab::held(place_.tensor)) return std::nullopt;
      if (pressed) pin_element(place_, element);
      return element;
    }
    return std::nullopt;
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
  const lab::TensorRaster& raster_;
  const lab::TensorScale& scale_;
  std::uint64_t across_ = 1, down_ = 0;
  float title_ = 0, cell_ = 1;
  lab::TensorMarks any_;
  std::size_t wrong_ = 0;
};
}  // namespace

float tensor_heat(const TensorFrame& place) { return Heat(place).draw(); }

}  // namespace warpbook::gui
