#include "lab/exhibits/image/image_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kHtmlImageMostColumns = 64, kMostRows = 64;
constexpr double kHtmlImageCell = 14, kHtmlImageGap = 1;

std::string class_of(const ImageExhibit& image, const ImageRun& run) {
  const std::string wrong = run.pixel.wrong ? " wb-wrong" : "";
  if (run.pixel.repeated) return "wb-mistake" + wrong;
  if (!run.pixel.writer) return "wb-nobody" + wrong;
  return (image.by == ImageExhibit::By::thread ? "wb-h" : "wb-c") +
         std::to_string(colour_of(image, *run.pixel.writer)) + wrong;
}

std::string run_svg(const ImageExhibit& image, const ImageRun& run) {
  const double x = static_cast<double>(run.column) * kHtmlImageCell,
               y = static_cast<double>(run.row) * kHtmlImageCell,
               width = static_cast<double>(run.length) * kHtmlImageCell - kHtmlImageGap;
  std::string svg =
      svg_rectangle(class_of(image, run), x, y, width, kHtmlImageCell - kHtmlImageGap);
  std::string sign;
  if (run.pixel.repeated)
    sign = "*";
  else if (run.first)
    sign = std::string(1, letter_of(run.group));
  if (run.pixel.wrong) sign += "!";
  if (!sign.empty()) {
    svg += "<text x=\"" + coordinate(x + (kHtmlImageCell - kHtmlImageGap) / 2) + "\" y=\"" +
           coordinate(y + kHtmlImageCell - 4) + "\">" + sign + "</text>";
  }
  return svg;
}

}  // namespace

std::string html_body(const ImageExhibit& image, const Strings& strings,
                      const std::string& caption) {
  const ImageRaster raster = raster_of(image, kHtmlImageMostColumns, kMostRows);
  if (raster.rows == 0) return {};
  std::string svg = svg_open(static_cast<double>(raster.columns) * kHtmlImageCell,
                             static_cast<double>(raster.rows) * kHtmlImageCell, caption);
  for (const ImageRun& run : runs_of(image, raster)) svg += run_svg(image, run);
  std::string html = svg + "</svg>" +
                     tagged("p", "wb-more",
                            escaped(strings("image.by." + std::string(name_of(image.by))) + " " +
                                    strings("image.legend")));
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
