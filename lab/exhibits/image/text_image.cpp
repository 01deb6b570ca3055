#include <algorithm>

#include "lab/exhibits/image/image_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kMostRows = 48;

std::string letter(const ImageRun& run) {
  if (!run.pixel.written) return "·";
  if (run.pixel.repeated) return "*";
  return run.pixel.writer ? std::string(1, letter_of(run.group)) : "?";
}

/// Two columns where `wide`: a letter, and a mark where the value is wrong.
std::string sign_of(const ImageRun& run, bool wide) {
  if (run.pixel.wrong && !wide) return "!";
  return letter(run) + (wide ? run.pixel.wrong ? "!" : " " : "");
}

}  // namespace

void text_body(const ImageExhibit& image, const Strings& strings, Page& page) {
  const auto room = static_cast<std::uint64_t>(std::max(1, page.width() - 2));
  // Two columns a pixel come near a square; where that is too wide, one.
  const bool wide = size_of(image).x * 2 <= room;
  const ImageRaster raster = raster_of(image, wide ? room / 2 : room, kMostRows);
  if (raster.rows == 0) return;
  page.paragraph(
      strings("image.by." + std::string(name_of(image.by))) + "  " + strings("image.legend"), 2,
      Ink::quiet);
  std::vector<std::string> lines(raster.rows);
  for (const ImageRun& run : runs_of(image, raster)) {
    for (std::uint64_t i = 0; i < run.length; ++i) lines[run.row] += sign_of(run, wide);
  }
  for (std::uint64_t row = 0; row < raster.rows; ++row) {
    const std::uint64_t z = row / (raster.slice_rows + 1);
    if (raster.slices > 1 && row % (raster.slice_rows + 1) == 0)
      page.line("  " + page.ink(Ink::quiet, strings("image.slice", {{"z", std::to_string(z)}})));
    if (!lines[row].empty()) page.line("  " + page.ink(Ink::plain, lines[row]));
  }
  if (raster.more_slices != 0)
    page.paragraph(counted(strings, "image.more-slices", raster.more_slices), 2, Ink::quiet);
  if (raster.step > 1) {
    page.paragraph(strings("image.step", {{"step", std::to_string(raster.step)}}), 2, Ink::quiet);
  }
}

}  // namespace warpbook::lab
