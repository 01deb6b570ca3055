// A picture whose pixels have the colour of the block, warp or thread that wrote them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/image/image_summary.hpp"

namespace warpbook::gui {
namespace {
constexpr float kImageMostCell = 32, kImageLeastCell = 6, kImageGap = 1, kImageLine = 24,
                kImageTop = 4;
constexpr std::uint64_t kImageMostRows = 64, kImageMostColumns = 96;

struct ImageLayout {
  lab::ImageRaster raster;
  float cell = 0;
};

ImageLayout layout_of(const lab::ImageExhibit& image, float width) {
  const auto fit = static_cast<std::uint64_t>(std::max(1.0f, width / kImageLeastCell));
  ImageLayout layout{lab::raster_of(image, std::min(fit, kImageMostColumns), kImageMostRows), 0};
  if (layout.raster.columns != 0) {
    layout.cell =
        std::min(kImageMostCell, std::floor(width / static_cast<float>(layout.raster.columns)));
  }
  return layout;
}

Colour colour_of(const Ui& ui, const lab::ImageExhibit& image, const lab::ImagePixel& pixel) {
  const unsigned colour = lab::colour_of(image, *pixel.writer);
  if (image.by != lab::ImageExhibit::By::thread) return ui.theme.cell(colour);
  return mix(ui.theme.s2, viridis(static_cast<float>(colour) / (lab::kImageSteps - 1)), 0.6f);
}

/// One picture, drawn where its layout says.
class ImagePicture {
 public:
  ImagePicture(const Frame& frame, const lab::ImageExhibit& image, const ImageLayout& layout)
      : ui_(frame.ui),
        ink_(frame.ui.ink()),
        image_(image),
        layout_(layout),
        corner_{frame.corner.x, frame.corner.y + kImageTop},
        width_(frame.width) {}

  void draw() const {
    for (const lab::ImageRun& run : lab::runs_of(image_, layout_.raster)) draw_run(run);
    part_columns();
    const auto& thread = ui_.book.link.current().thread;
    if (thread) outline_thread(*thread);
    const std::optional<std::uint64_t> pixel = point();
    draw_words(pixel, thread);
  }

 private:
  [[nodiscard]] ImVec2 at(std::uint64_t column, std::uint64_t row) const {
    return {corner_.x + static_cast<float>(column) * layout_.cell,
            corner_.y + static_cast<float>(row) * layout_.cell};
  }
  [[nodiscard]] float height() const {
    return static_cast<float>(layout_.raster.rows) * layout_.cell;
  }

  [[nodiscard]] bool has_room_for_signs() const { return layout_.cell >= 12; }

  void draw_run(const lab::ImageRun& run) const {
    const ImVec2 min = at(run.column, run.row);
    const ImVec2 max{min.x + static_cast<float>(run.length) * layout_.cell - kImageGap,
                     min.y + layout_.cell - kImageGap};
    if (!ImGui::IsRectVisible(min, max)) return;
    if (run.pixel.repeated) {
      ink_.fill(min, max, ui_.theme.bad_tint);
    } else if (run.pixel.writer) {
      ink_.fill(min, max, colour_of(ui_, image_, run.pixel));
    } else {
      ink_.fill(min, max, ui_.theme.s3);
      ink_.hatch(min, max, ui_.theme.line, 6);
    }
    if (run.pixel.wrong) ink_.outline(min, max, ui_.theme.bad);
    std::string sign;
    if (run.pixel.repeated)
      sign = "*";
    else if (run.first)
      sign = std::string(1, lab::letter_of(run.group));
    if (run.pixel.wrong) sign += "!";
    const Type type{Face::mono, 12, run.pixel.wrong ? ui_.theme.bad : ui_.theme.t1};
    if (!sign.empty() && has_room_for_signs())
      ink_.text_middle(min.x + layout_.cell / 2, (min.y + max.y) / 2, type, sign, Align::centre);
  }

  /// Runs are one rectangle each; pixels in a row are parted as rows are.
  void part_columns() const {
    for (std::uint64_t column = 1; column < layout_.raster.columns; ++column) {
      const ImVec2 end = at(column, layout_.raster.rows);
      ink_.fill({end.x - kImageGap, corner_.y}, end, ui_.theme.s2);
    }
  }

  /// Every pixel that the linked thread wrote.
  void outline_thread(const Link::Thread& thread) const {
    const auto& raster = layout_.raster;
    for (std::uint64_t cell = 0; cell < raster.pixels.size(); ++cell) {
      if (raster.pixels[cell] == lab::ImageRaster::kFree) continue;
      const auto writer =
          lab::pixel_at(image_, static_cast<std::uint64_t>(raster.pixels[cell])).writer;
      if (!writer || writer->block != thread.block || writer->thread != thread.thread) continue;
      const ImVec2 min = at(cell % raster.columns, cell / raster.columns);
      ink_.outline(min, {min.x + layout_.cell - kImageGap, min.y + layout_.cell - kImageGap},
                   ui_.theme.accent, 0, measure::kRing);
    }
  }

  /// What the mouse is over; a press pins its writer. One item for the whole picture: thousands of pixels are no places
  /// for the keyboard to stop at; on the picture, comma and full stop go from thread to thread.
  [[nodiscard]] std::optional<std::uint64_t> point() const {
    const auto& raster = layout_.raster;
    const ImVec2 end = at(raster.columns, raster.rows);
    const bool pressed = item("pixels", corner_, end);
    if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible) step_by_keys();
    if (!ImGui::IsItemHovered()) return {};
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto column = static_cast<std::uint64_t>((mouse.x - corner_.x) / layout_.cell),
               row = static_cast<std::uint64_t>((mouse.y - corner_.y) / layout_.cell);
    if (column >= raster.columns || row >= raster.rows) return {};
    const std::int64_t pixel = raster.pixels[row * raster.columns + column];
    if (pixel == lab::ImageRaster::kFree) return {};
    const auto writer = lab::pixel_at(image_, static_cast<std::uint64_t>(pixel)).writer;
    if (writer) point_at(ui_, link_to(writer->block, writer->thread), pressed);
    return static_cast<std::uint64_t>(pixel);
  }

  /// Pins the next or the previous thread of the launch, from the one that is pinned on.
  void step_by_keys() const {
    const std::uint64_t threads = image_.block.count(), all = image_.grid.count() * threads;
    const auto& pinned = ui_.book.link.pinned().thread;
    const std::uint64_t now = pinned ? pinned->block * threads + pinned->thread : all - 1;
    if (const auto next = stepped(now, all)) pin(ui_, link_to(*next / threads, *next % threads));
  }

  void draw_words(const std::optional<std::uint64_t>& pixel,
                  const std::optional<Link::Thread>& thread) const {
    std::string says = ui_.tr((has_room_for_signs() ? "image.by." : "gui.image.colour.") +
                              std::string(lab::name_of(image_.by)));
    if (thread) {
      says =
          ui_.tr("gui.image.thread", {{"block", lab::coordinates(thread->block, image_.grid)},
                                      {"thread", lab::coordinates(thread->thread, image_.block)},
                                      {"warp", std::to_string(thread->thread / device::kLanes)}});
    }
    if (pixel) {
      says = ui_.tr("gui.image.pixel", {{"place", lab::place_text(image_, *pixel)}}) + says;
      if (!lab::pixel_at(image_, *pixel).writer) {
        says = ui_.tr("gui.image.pixel", {{"place", lab::place_text(image_, *pixel)}}) +
               ui_.tr("gui.image.nobody");
      }
    } else if (!thread && layout_.raster.step > 1) {
      says = ui_.tr("image.step", {{"step", std::to_string(layout_.raster.step)}});
    }
    ink_.text_middle(corner_.x, corner_.y + height() + kImageLine / 2, ui_.note(),
                     ink_.fitted(ui_.note(), says, width_));
  }

  const Ui& ui_;
  Ink ink_;
  const lab::ImageExhibit& image_;
  const ImageLayout& layout_;
  ImVec2 corner_;
  float width_;
};
}  // namespace

float figure_of(const Frame& frame, const lab::ImageExhibit& image, const std::string& /*id*/) {
  const ImageLayout layout = layout_of(image, frame.width);
  if (layout.raster.rows == 0)
    return words(frame, frame.ui.tr("gui.tensor.empty"), frame.ui.caption_style());
  if (frame.draw) ImagePicture(frame, image, layout).draw();
  return kImageTop + static_cast<float>(layout.raster.rows) * layout.cell + kImageLine;
}

}  // namespace warpbook::gui
