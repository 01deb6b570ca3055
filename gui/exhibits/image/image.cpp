// The picture of an image by who wrote it, whole or looked at closer, under mouse and keyboard, and what is pointed at in words.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/tensor/closer_look.hpp"
#include "lab/exhibits/image/image_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kMostCell = 48, kLeastCell = 6, kLine = 30, kTop = 4;
constexpr std::uint64_t kMostRows = 64, kMostColumns = 96;

lab::ImageRaster raster_in(const lab::ImageExhibit& image, float width) {
  const auto fit = static_cast<std::uint64_t>(std::max(1.0f, width / kLeastCell));
  return lab::raster_of(image, std::min(fit, kMostColumns), kMostRows);
}

lab::ImageLayout layout_of(const lab::ImageExhibit& image, float width) {
  lab::ImageLayout layout{raster_in(image, width), 1, {}};
  if (layout.raster.columns == 0) return layout;
  if (layout.raster.step == 1) layout.overhang = lab::overhang_of(image);
  const auto cell_for = [&](std::uint64_t columns) {
    return std::min(kMostCell, std::floor(width / static_cast<float>(columns)));
  };
  layout.cell = static_cast<double>(cell_for(layout.raster.columns + layout.overhang.columns));
  if (layout.cell >= kLeastCell) return layout;
  // A launch that reaches far beyond the picture must not make its pixels too small to be seen.
  layout.overhang = {};
  layout.cell = static_cast<double>(cell_for(layout.raster.columns));
  return layout;
}

/// Some of the pixels, in the place that all of them take.
struct ClosePart {
  lab::ImageExhibit image;
  lab::ImageLayout layout;
};
ClosePart closer(const lab::ImageExhibit& image, const lab::TensorRegion& region, float width,
                 const lab::ImageLayout& whole) {
  ClosePart part{lab::cut(image, region), {}};
  part.layout.raster = raster_in(part.image, width);
  const lab::Area room = whole.whole();
  part.layout.cell = std::max(
      1.0, std::floor(std::min(room.width / static_cast<double>(part.layout.raster.columns),
                               room.height / static_cast<double>(part.layout.raster.rows))));
  return part;
}

class ImagePanel {
 public:
  ImagePanel(const FigureArea& area, const lab::ImageExhibit& image, const std::string& id)
      : area_(area),
        ui_(area.ui),
        image_(image),
        planes_(lab::planes_of(image.pixels)),
        look_(ui_, id, planes_),
        whole_(kept_layout<lab::ImageLayout>(area, &image,
                                             [&] { return layout_of(image, area.width); })) {
    if (look_.is_whole()) return;
    FigureInputs inputs = inputs_of(area);
    inputs.add(look_.inputs().all());
    constexpr std::uint64_t kClosePart = 1ull << 37;  // under which the cache keeps it
    close_ = &ui_.cache.latest<ClosePart>(&image, kClosePart, inputs, [&] {
      return closer(image, look_.region(), area.width, whole_);
    });
  }

  [[nodiscard]] bool is_empty() const { return whole_.raster.rows == 0; }

  float draw() const {
    const auto height = static_cast<float>(whole_.whole().height);
    if (area_.draw) {
      const auto& thread = ui_.book.link.current().thread;
      std::optional<lab::ImagePixel::Writer> linked;
      if (thread) linked = lab::ImagePixel::Writer{thread->block, thread->thread};
      FigureInputs inputs = look_.inputs();
      inputs.add(thread.has_value());
      if (linked) inputs.add(linked->block << 32 | linked->thread);
      draw_kept(area_, &image_, inputs, [&] { return drawing_of(shown(), layout(), linked); });
      draw_words(area_.corner.y + height, point(), thread);
    }
    const std::string beyond = lab::overhang_text(image_, layout().overhang, ui_.book.strings());
    if (beyond.empty()) return height + kLine;
    return height + kLine +
           words({ui_, {area_.corner.x, area_.corner.y + height + kLine}, area_.width, area_.draw},
                 beyond, ui_.caption_style());
  }

 private:
  /// What is drawn: the image, or the part that is looked at.
  [[nodiscard]] const lab::ImageExhibit& shown() const { return close_ ? close_->image : image_; }
  [[nodiscard]] const lab::ImageLayout& layout() const { return close_ ? close_->layout : whole_; }

  /// The pixel of the image that the mouse is over; a click pins its writer. One item for the whole picture: thousands of pixels
  /// are no places for the keyboard to stop at; on the picture, comma and full stop go from thread to thread.
  [[nodiscard]] std::optional<std::uint64_t> point() const {
    const auto& raster = layout().raster;
    const lab::Area pixels = layout().area();
    const bool pressed = item_over("pixels", area_.corner, pixels);
    const lab::Point mouse = mouse_in(area_.corner);
    std::optional<lab::Point> about;
    if (pixels.holds(mouse)) about = {mouse.x / pixels.width, mouse.y / pixels.height};
    const double each = layout().cell / static_cast<double>(raster.step);
    const bool clicked = look_.take_input(pressed, about, {each, each});
    if (ImGui::IsItemFocused()) step_by_keys();
    if (!ImGui::IsItemHovered() || !about) return {};
    const auto column = static_cast<std::uint64_t>(mouse.x / layout().cell),
               row = static_cast<std::uint64_t>(mouse.y / layout().cell);
    if (column >= raster.columns || row >= raster.rows) return {};
    const std::int64_t pixel = raster.pixels[row * raster.columns + column];
    if (pixel == lab::ImageRaster::kFree) return {};
    const std::uint64_t at =
        lab::element_of_whole(planes_, look_.region(), static_cast<std::uint64_t>(pixel));
    const auto writer = lab::pixel_at(image_, at).writer;
    if (writer) point_at(ui_, link_to(writer->block, writer->thread), clicked);
    return at;
  }

  /// Pins the next or the previous thread of the launch, from the one that is pinned on.
  void step_by_keys() const {
    const std::uint64_t threads = image_.block.count(), all = image_.grid.count() * threads;
    const auto& pinned = ui_.book.link.pinned().thread;
    const std::uint64_t now = pinned ? pinned->block * threads + pinned->thread : all - 1;
    if (const auto next = stepped(now, all)) pin(ui_, link_to(*next / threads, *next % threads));
  }

  [[nodiscard]] std::string words_for(const std::optional<std::uint64_t>& pixel,
                                      const std::optional<Link::Thread>& thread) const {
    std::string says = ui_.tr((layout().has_room_for_signs() ? "image.by." : "gui.image.colour.") +
                              std::string(lab::name_of(image_.by)));
    if (thread) {
      says =
          ui_.tr("gui.image.thread", {{"block", lab::coordinates(thread->block, image_.grid)},
                                      {"thread", lab::coordinates(thread->thread, image_.block)},
                                      {"warp", std::to_string(thread->thread / device::kLanes)}});
    }
    if (pixel) {
      if (!lab::pixel_at(image_, *pixel).writer) says = ui_.tr("gui.image.nobody");
      return ui_.tr("gui.image.pixel", {{"place", lab::place_text(image_, *pixel)}}) + says;
    }
    if (!thread && layout().raster.step > 1)
      return ui_.tr("image.step", {{"step", std::to_string(layout().raster.step)}});
    return says;
  }

  void draw_words(float top, const std::optional<std::uint64_t>& pixel,
                  const std::optional<Link::Thread>& thread) const {
    float right = area_.corner.x + area_.width;
    if (look_.is_offered()) {
      const std::string plane =
          ui_.tr("image.slice", {{"z", std::to_string(look_.region().plane.value_or(0))}});
      right = look_.draw_controls(right, top + 2, plane);
    }
    ui_.ink().label(area_.corner.x, top + kLine / 2, ui_.note(), words_for(pixel, thread),
                    std::max(0.0f, right - area_.corner.x - 8));
  }

  const FigureArea& area_;
  const Ui& ui_;
  const lab::ImageExhibit& image_;
  lab::TensorPlanes planes_;
  CloserLook look_;
  const lab::ImageLayout& whole_;
  const ClosePart* close_ = nullptr;
};
}  // namespace

float figure_of(const FigureArea& area, const lab::ImageExhibit& image, const std::string& id) {
  const FigureArea below{
      area.ui, {area.corner.x, area.corner.y + kTop}, area.width, area.draw, area.beside};
  const ImagePanel panel(below, image, id);
  if (panel.is_empty()) return words(area, area.ui.tr("gui.tensor.empty"), area.ui.caption_style());
  return kTop + panel.draw();
}

}  // namespace warpbook::gui
