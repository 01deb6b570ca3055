// What the renderers of a picture by its writers share: whose each pixel is, in which colour and letter, and which pixels
// are shown where not all have room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/image/image.hpp"
#include "lab/exhibits/tensor/tensor_region.hpp"
#include "lab/model/warps.hpp"

namespace warpbook::lab {

struct ImagePlace {
  std::uint64_t x = 0, y = 0, z = 0;
};
/// Width, height and depth in pixels; all 0 where there is no pixel.
ImagePlace size_of(const ImageExhibit& image);
ImagePlace place_of(const ImageExhibit& image, std::uint64_t pixel);
/// "(3, 2)"; with z where the picture has a depth.
std::string place_text(const ImageExhibit& image, std::uint64_t pixel);
/// "(1, 0)": coordinates of a block in its grid, or of a thread in its block, without trailing dimensions of one.
std::string coordinates(std::uint64_t linear, const device::Dim3& extent);

struct ImagePixel {
  struct Writer {
    std::uint64_t block = 0, thread = 0;  ///< linear
  };
  std::optional<Writer> writer;  ///< none: nobody, or not known
  bool written = false, repeated = false, wrong = false;
};
/// Takes any index: one out of range reads as a pixel that no thread wrote. runs_of says whether it is wrong.
ImagePixel pixel_at(const ImageExhibit& image, std::uint64_t pixel);

/// How far the launch's threads reach beyond the right and the lower edge, in pixels, where each thread is for the pixel of its own
/// coordinates, as far as is known, and none wrote anything else; elsewhere 0.
struct ImageOverhang {
  std::uint64_t columns = 0, rows = 0;
  friend bool operator==(const ImageOverhang&, const ImageOverhang&) = default;
};
ImageOverhang overhang_of(const ImageExhibit& image);
/// What the hatching beyond the edges means; empty where there is none.
std::string overhang_text(const ImageExhibit& image, const ImageOverhang& overhang,
                          const Strings& strings);

/// Some of the pixels, as a picture of their own.
ImageExhibit cut(const ImageExhibit& image, const TensorRegion& region);

/// What it shares a colour with: the number of its block, of its warp in the launch, or of its thread in its block.
std::uint64_t group_of(const ImageExhibit& image, const ImagePixel::Writer& writer);
/// By thread, steps of a sequence; by block and by warp, the colours of blocks (lab/model/warps.hpp).
inline constexpr unsigned kImageSteps = 10;
unsigned colour_of(const ImageExhibit& image, const ImagePixel::Writer& writer);
/// A to Z, a to z, 0 to 9, and again.
char letter_of(std::uint64_t group);

/// Places for at most `columns` x `rows` cells: slices (z) one under another, a row free between two.
struct ImageRaster {
  static constexpr std::int64_t kFree = -1;
  std::uint64_t columns = 0, rows = 0;
  std::uint64_t step = 1;        ///< a cell stands for step x step pixels
  std::uint64_t slice_rows = 0;  ///< of one slice, without the free one
  std::uint64_t slices = 0, more_slices = 0;
  std::vector<std::int64_t> pixels;  ///< by cell: the first pixel that it stands for
};
ImageRaster raster_of(const ImageExhibit& image, std::uint64_t columns, std::uint64_t rows);

/// Neighbouring cells of a row that look the same.
struct ImageRun {
  std::uint64_t column = 0, row = 0, length = 0;
  ImagePixel pixel;  ///< the first
  std::uint64_t group = 0;
  bool first = false;  ///< of its group in the whole raster: where its name stands
};
std::vector<ImageRun> runs_of(const ImageExhibit& image, const ImageRaster& raster);

}  // namespace warpbook::lab
