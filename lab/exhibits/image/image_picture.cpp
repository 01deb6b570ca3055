#include "lab/exhibits/image/image_picture.hpp"

namespace warpbook::lab {
namespace {

constexpr double kImageGap = 1, kBlockOpacity = 0.34, kThreadOpacity = 0.6;
constexpr Letters kImageLetters{Letters::Face::mono, 12};

Paint paint_of(const ImageExhibit& image, const ImagePixel& pixel) {
  if (pixel.repeated) return Role::bad_tint;
  if (!pixel.writer) return Role::s3;
  const unsigned colour = colour_of(image, *pixel.writer);
  if (image.by != ImageExhibit::By::thread) return {category(colour), kBlockOpacity};
  return Paint::of_value(sequence_colour(static_cast<double>(colour) / (kImageSteps - 1)),
                         kThreadOpacity);
}

class ImageDrawing {
 public:
  ImageDrawing(const ImageExhibit& image, const ImageLayout& layout)
      : image_(image), layout_(layout) {
    drawing_.width = layout.whole().width;
    drawing_.height = layout.whole().height;
    for (const ImageRun& run : runs_of(image, layout.raster)) place_run(run);
    place_overhang();
    part_columns();
  }
  /// Every pixel that the thread wrote.
  void outline(const ImagePixel::Writer& thread) {
    const ImageRaster& raster = layout_.raster;
    for (std::uint64_t cell = 0; cell < raster.pixels.size(); ++cell) {
      if (raster.pixels[cell] == ImageRaster::kFree) continue;
      const auto writer = pixel_at(image_, static_cast<std::uint64_t>(raster.pixels[cell])).writer;
      if (!writer || writer->block != thread.block || writer->thread != thread.thread) continue;
      drawing_.outline(area_of(cell % raster.columns, cell / raster.columns), {Role::accent, 2});
    }
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] Area area_of(std::uint64_t column, std::uint64_t row) const {
    const double side = layout_.cell - kImageGap;
    return {static_cast<double>(column) * layout_.cell, static_cast<double>(row) * layout_.cell,
            side, side};
  }

  /// Threads without a pixel, at the right and below.
  void place_overhang() {
    const Area pixels = layout_.area(), all = layout_.whole();
    place_beyond({pixels.width, 0, all.width - pixels.width, pixels.height});
    place_beyond({0, pixels.height, all.width, all.height - pixels.height});
    const std::uint64_t rows = layout_.raster.rows + layout_.overhang.rows;
    for (std::uint64_t row = 1; row < rows && all.width > pixels.width; ++row)
      drawing_.rectangle({pixels.width, static_cast<double>(row) * layout_.cell - kImageGap,
                          all.width - pixels.width, kImageGap},
                         Role::s2);
  }
  void place_beyond(const Area& at) {
    if (at.width <= 0 || at.height <= 0) return;
    drawing_.outline(at, {Role::t4, 1, kFineDashes}).id = ItemId{"beyond"};
    drawing_.hatch(at, {Role::t4, 1}, 6);
  }

  /// Pixels in a row are parted as rows are.
  void part_columns() {
    const Area all = layout_.whole();
    for (std::uint64_t column = 1; column < layout_.raster.columns + layout_.overhang.columns;
         ++column) {
      const double end = static_cast<double>(column) * layout_.cell;
      drawing_.rectangle({end - kImageGap, 0, kImageGap, all.height}, Role::s2);
    }
  }

  /// Pixels beside each other that look alike are one rectangle.
  void place_run(const ImageRun& run) {
    const Area first = area_of(run.column, run.row),
               at{first.x, first.y, static_cast<double>(run.length) * layout_.cell - kImageGap,
                  first.height};
    drawing_.rectangle(at, paint_of(image_, run.pixel));
    if (!run.pixel.repeated && !run.pixel.writer) drawing_.hatch(at, {Role::line}, 6);
    if (run.pixel.wrong) drawing_.outline(at, {Role::bad});
    std::string sign;
    if (run.pixel.repeated)
      sign = "*";
    else if (run.first)
      sign = std::string(1, letter_of(run.group));
    if (run.pixel.wrong) sign += "!";
    if (!sign.empty() && layout_.has_room_for_signs())
      drawing_.text(first.middle(), sign, kImageLetters, run.pixel.wrong ? Role::bad : Role::t1,
                    Anchor::middle);
  }

  const ImageExhibit& image_;
  const ImageLayout& layout_;
  Drawing drawing_;
};

}  // namespace

Drawing drawing_of(const ImageExhibit& image, const ImageLayout& layout,
                   const std::optional<ImagePixel::Writer>& linked) {
  ImageDrawing drawing(image, layout);
  if (linked) drawing.outline(*linked);
  return drawing.take();
}

}  // namespace warpbook::lab
