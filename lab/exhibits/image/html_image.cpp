#include "lab/exhibits/image/image_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kMostColumns = 64, kMostRows = 64;
constexpr double kCell = 14;

}  // namespace

std::string html_body(const ImageExhibit& image, const Strings& strings,
                      const std::string& caption) {
  ImageLayout layout{raster_of(image, kMostColumns, kMostRows), kCell, {}};
  const ImageRaster& raster = layout.raster;
  if (raster.rows == 0) return {};
  if (raster.step == 1) layout.overhang = overhang_of(image);
  std::string html = svg_of(drawing_of(image, layout, {}), caption) +
                     tagged("p", "wb-more",
                            escaped(strings("image.by." + std::string(name_of(image.by))) + " " +
                                    strings("image.legend")));
  if (const std::string beyond = overhang_text(image, layout.overhang, strings); !beyond.empty())
    html += tagged("p", "wb-more", escaped(beyond));
  if (raster.more_slices != 0)
    html +=
        tagged("p", "wb-more", escaped(counted(strings, "image.more-slices", raster.more_slices)));
  if (raster.step > 1) {
    html += tagged("p", "wb-more",
                   escaped(strings("image.step", {{"step", std::to_string(raster.step)}})));
  }
  return html;
}

}  // namespace warpbook::lab
