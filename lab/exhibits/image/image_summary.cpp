#include "lab/exhibits/image/image_summary.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

std::uint64_t threads_of(const ImageExhibit& image) {
  return std::max<std::uint64_t>(1, image.block.count());
}
std::uint64_t up(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

bool alike(const ImageRun& run, const ImagePixel& pixel, std::uint64_t group) {
  return run.pixel.writer.has_value() == pixel.writer.has_value() && run.group == group &&
         run.pixel.wrong == pixel.wrong && run.pixel.written == pixel.written &&
         run.pixel.repeated == pixel.repeated;
}

/// Where the thread is in the launch along x and y.
ImagePlace place_in_launch(const ImageExhibit& image, const ImagePixel::Writer& thread) {
  const std::uint64_t grid_x = std::max(1u, image.grid.x), grid_y = std::max(1u, image.grid.y),
                      block_x = std::max(1u, image.block.x), block_y = std::max(1u, image.block.y);
  return {thread.block % grid_x * block_x + thread.thread % block_x,
          thread.block / grid_x % grid_y * block_y + thread.thread / block_x % block_y, 0};
}

/// By cell of the raster: whether the pixel that it shows is wrong.
std::vector<bool> wrong_cells(const ImageExhibit& image, const ImageRaster& raster) {
  std::vector<bool> cells(raster.pixels.size());
  for (const std::uint64_t pixel : image.pixels.wrong) {
    const ImagePlace at = place_of(image, pixel);
    if (at.x % raster.step != 0 || at.y % raster.step != 0 || at.z >= raster.slices) continue;
    const std::uint64_t row = at.z * (raster.slice_rows + 1) + at.y / raster.step;
    cells[row * raster.columns + at.x / raster.step] = true;
  }
  return cells;
}

}  // namespace

ImagePlace size_of(const ImageExhibit& image) {
  const auto& shape = image.pixels.shape;
  if (shape.empty() || count(image.pixels) == 0) return {};
  const std::uint64_t width = shape.back(), height = shape.size() > 1 ? shape[shape.size() - 2] : 1;
  return {width, height, count(image.pixels) / width / height};
}

ImagePlace place_of(const ImageExhibit& image, std::uint64_t pixel) {
  const ImagePlace size = size_of(image);
  if (size.x == 0) return {};
  return {pixel % size.x, pixel / size.x % size.y, pixel / size.x / size.y};
}

std::string place_text(const ImageExhibit& image, std::uint64_t pixel) {
  const ImagePlace at = place_of(image, pixel);
  return size_of(image).z > 1 ? fmt::format("({}, {}, {})", at.x, at.y, at.z)
                              : fmt::format("({}, {})", at.x, at.y);
}

std::string coordinates(std::uint64_t linear, const device::Dim3& extent) {
  const std::uint64_t x = std::max(1u, extent.x), y = std::max(1u, extent.y);
  if (extent.z > 1) return fmt::format("({}, {}, {})", linear % x, linear / x % y, linear / x / y);
  if (extent.y > 1) return fmt::format("({}, {})", linear % x, linear / x);
  return fmt::format("{}", linear);
}

ImagePixel pixel_at(const ImageExhibit& image, std::uint64_t pixel) {
  ImagePixel at;
  if (pixel >= image.writes.size()) return at;
  at.written = image.writes[pixel] != 0;
  at.repeated = image.writes[pixel] > 1;
  if (!at.written || pixel >= image.writer.size() || image.writer[pixel] < 0) return at;
  const auto who = static_cast<std::uint64_t>(image.writer[pixel]);
  const std::uint64_t threads = threads_of(image);
  if (who / threads < image.grid.count())
    at.writer = ImagePixel::Writer{who / threads, who % threads};
  return at;
}

ImageOverhang overhang_of(const ImageExhibit& image) {
  const ImagePlace size = size_of(image);
  const std::uint64_t wide = std::uint64_t{image.grid.x} * image.block.x,
                      high = std::uint64_t{image.grid.y} * image.block.y,
                      deep = std::uint64_t{image.grid.z} * image.block.z;
  if (size.z != 1 || deep != 1 || wide < size.x || high < size.y) return {};
  for (std::uint64_t i = 0; i < image.writer.size(); ++i) {
    const ImagePixel pixel = pixel_at(image, i);
    if (pixel.repeated || (pixel.written && !pixel.writer)) return {};
    if (!pixel.writer) continue;
    const ImagePlace thread = place_in_launch(image, *pixel.writer), at = place_of(image, i);
    if (thread.x != at.x || thread.y != at.y) return {};
  }
  return {wide - size.x, high - size.y};
}

std::string overhang_text(const ImageExhibit& image, const ImageOverhang& overhang,
                          const Strings& strings) {
  const ImagePlace size = size_of(image);
  const std::uint64_t beyond =
      (size.x + overhang.columns) * (size.y + overhang.rows) - size.x * size.y;
  return beyond == 0 ? std::string() : counted(strings, "image.beyond", beyond);
}

ImageExhibit cut(const ImageExhibit& image, const TensorRegion& region) {
  const TensorPlanes planes = planes_of(image.pixels);
  ImageExhibit made{image.by, image.grid, image.block, cut(image.pixels, region), {}, {}};
  for (std::uint64_t i = 0; i < count(made.pixels); ++i) {
    const std::uint64_t at = element_of_whole(planes, region, i);
    made.writes.push_back(at < image.writes.size() ? image.writes[at] : 0);
    made.writer.push_back(at < image.writer.size() ? image.writer[at] : -1);
  }
  return made;
}

std::uint64_t group_of(const ImageExhibit& image, const ImagePixel::Writer& writer) {
  switch (image.by) {
    case ImageExhibit::By::block: return writer.block;
    case ImageExhibit::By::warp:
      return writer.block * up(threads_of(image), device::kLanes) + writer.thread / device::kLanes;
    case ImageExhibit::By::thread: return writer.thread;
  }
  __builtin_unreachable();
}

unsigned colour_of(const ImageExhibit& image, const ImagePixel::Writer& writer) {
  if (image.by == ImageExhibit::By::thread) {
    const std::uint64_t last = std::max<std::uint64_t>(1, threads_of(image) - 1);
    return static_cast<unsigned>(std::min<std::uint64_t>(writer.thread, last) * (kImageSteps - 1) /
                                 last);
  }
  std::uint64_t colour = block_colour(image.grid, writer.block);
  if (image.by == ImageExhibit::By::warp) colour += writer.thread / device::kLanes;
  return static_cast<unsigned>(colour % kBlockColours);
}

char letter_of(std::uint64_t group) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return kLetters[group % kLetters.size()];
}

ImageRaster raster_of(const ImageExhibit& image, std::uint64_t columns, std::uint64_t rows) {
  ImageRaster raster;
  const ImagePlace size = size_of(image);
  if (size.x == 0 || columns == 0 || rows == 0) return raster;
  raster.step = std::max(up(size.x, columns), up(size.y, rows));
  raster.columns = up(size.x, raster.step);
  raster.slice_rows = up(size.y, raster.step);
  raster.slices = std::min(size.z, (rows + 1) / (raster.slice_rows + 1));
  raster.slices = std::max<std::uint64_t>(1, raster.slices);
  raster.more_slices = size.z - raster.slices;
  raster.rows = raster.slices * (raster.slice_rows + 1) - 1;
  raster.pixels.assign(raster.columns * raster.rows, ImageRaster::kFree);
  for (std::uint64_t z = 0; z < raster.slices; ++z) {
    for (std::uint64_t r = 0; r < raster.slice_rows; ++r) {
      for (std::uint64_t c = 0; c < raster.columns; ++c) {
        const std::uint64_t row = z * (raster.slice_rows + 1) + r;
        raster.pixels[row * raster.columns + c] =
            static_cast<std::int64_t>((z * size.y + r * raster.step) * size.x + c * raster.step);
      }
    }
  }
  return raster;
}

std::vector<ImageRun> runs_of(const ImageExhibit& image, const ImageRaster& raster) {
  std::vector<ImageRun> runs;
  std::set<std::uint64_t> named;
  const std::vector<bool> wrong = wrong_cells(image, raster);
  for (std::uint64_t row = 0; row < raster.rows; ++row) {
    bool open = false;
    for (std::uint64_t column = 0; column < raster.columns; ++column) {
      const std::int64_t at = raster.pixels[row * raster.columns + column];
      if (at == ImageRaster::kFree) break;
      ImagePixel pixel = pixel_at(image, static_cast<std::uint64_t>(at));
      pixel.wrong = wrong[row * raster.columns + column];
      const std::uint64_t group = pixel.writer ? group_of(image, *pixel.writer) : 0;
      if (open && alike(runs.back(), pixel, group)) {
        ++runs.back().length;
        continue;
      }
      const bool first = pixel.writer && named.insert(group).second;
      runs.push_back({column, row, 1, pixel, group, first});
      open = true;
    }
  }
  return runs;
}

}  // namespace warpbook::lab
