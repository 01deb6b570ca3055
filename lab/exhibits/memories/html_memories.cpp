#include "lab/exhibits/memories/memories_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kPageWidth = 768;

}  // namespace

std::string html_body(const MemoriesExhibit& memories, const Strings& strings,
                      const std::string& caption) {
  if (memories.arrays.empty()) return {};
  const Canvas canvas = svg_canvas(kPageWidth, strings);
  std::string html =
      svg_of(drawing_of(memories, MemoriesPlane(memories, kPageWidth), {}, canvas), caption);
  for (std::size_t i = 0; i < memories.transfers.size(); ++i)
    html += tagged("p", "wb-more", escaped(transfer_text(memories, i, strings)));
  return html;
}

}  // namespace warpbook::lab
