#include "lab/exhibits/gpu/gpu_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kGpuPageWidth = 640;

}  // namespace

std::string html_body(const GpuExhibit& gpu, const Strings& strings, const std::string& caption) {
  if (gpu.multiprocessors == 0) return {};
  return svg_of(drawing_of(gpu, svg_canvas(kGpuPageWidth, strings)), caption) +
         tagged("p", "wb-more", escaped(source_text(gpu, strings)));
}

}  // namespace warpbook::lab
