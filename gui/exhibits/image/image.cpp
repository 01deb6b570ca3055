// The picture of an image by who wrote it, under mouse and keyboard, and what is pointed at in words.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/image/image_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kMostCell = 32, kLeastCell = 6, kLine = 24, kTop = 4;
constexpr std::uint64_t kMostRows = 64, kMostColumns = 96;

lab::ImageLayout layout_of(const lab::ImageExhibit& image, float width) {
  const auto fit = static_cast<std::uint64_t>(std::max(1.0f, width / kLeastCell));
  lab::ImageLayout layout{lab::raster_of(image, std::min(fit, kMostColumns), kMostRows), 1};
  if (layout.raster.columns != 0) {
    layout.cell = static_cast<double>(
        std::min(kMostCell, std::floor(width / static_cast<float>(layout.raster.columns))));
  }
  return layout;
}

class ImagePanel {
 public:
  ImagePanel(const FigureArea& area, const lab::ImageExhibit& image, const lab::ImageLayout& layout)
      : area_(area), ui_(area.ui), image_(image), layout_(layout) {}

  void draw() const {
    const auto& thread = ui_.book.link.current().thread;
    std::optional<lab::ImagePixel::Writer> linked;
    if (thread) linked = lab::ImagePixel::Writer{thread->block, thread->thread};
    FigureInputs inputs(thread.has_value());
    if (linked) inputs.add(linked->block << 32 | linked->thread);
    draw_kept(area_, &image_, inputs, [&] { return drawing_of(image_, layout_, linked); });
    const std::optional<std::uint64_t> pixel = point();
    draw_words(pixel, thread);
  }

 private:
  /// What the mouse is over; a press pins its writer. One item for the whole picture: thousands of pixels are no places
  /// for the keyboard to stop at; on the picture, comma and full stop go from thread to thread.
  [[nodiscard]] std::optional<std::uint64_t> point() const {
    const auto& raster = layout_.raster;
    const bool pressed = item_over("pixels", area_.corner, layout_.area());
    if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible) step_by_keys();
    if (!ImGui::IsItemHovered()) return {};
    const lab::Point mouse = mouse_in(area_.corner);
    const auto column = static_cast<std::uint64_t>(std::max(0.0, mouse.x) / layout_.cell),
               row = static_cast<std::uint64_t>(std::max(0.0, mouse.y) / layout_.cell);
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
    std::string says = ui_.tr((layout_.has_room_for_signs() ? "image.by." : "gui.image.colour.") +
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
    const float middle = area_.corner.y + static_cast<float>(layout_.area().height) + kLine / 2;
    ui_.ink().label(area_.corner.x, middle, ui_.note(), says, area_.width);
  }

  const FigureArea& area_;
  const Ui& ui_;
  const lab::ImageExhibit& image_;
  const lab::ImageLayout& layout_;
};
}  // namespace

float figure_of(const FigureArea& area, const lab::ImageExhibit& image, const std::string& /*id*/) {
  const auto& layout =
      kept_layout<lab::ImageLayout>(area, &image, [&] { return layout_of(image, area.width); });
  if (layout.raster.rows == 0)
    return words(area, area.ui.tr("gui.tensor.empty"), area.ui.caption_style());
  const FigureArea below{
      area.ui, {area.corner.x, area.corner.y + kTop}, area.width, area.draw, area.beside};
  if (area.draw) ImagePanel(below, image, layout).draw();
  return kTop + static_cast<float>(layout.area().height) + kLine;
}

}  // namespace warpbook::gui
