#include <set>
#include <string>

#include "lab/exhibits/boundary/boundary_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 240;  ///< of each of three pictures beside each other

}  // namespace

/// The first step, one in the middle and the last.
std::string html_body(const BoundaryExhibit& boundary, const Strings& strings,
                      const std::string& /*caption*/) {
  if (boundary.frames.empty()) return {};
  const std::size_t last = boundary.frames.size() - 1;
  std::string pictures;
  for (const std::size_t frame : std::set<std::size_t>{0, last / 2, last}) {
    const std::string says = frame_text(boundary, frame, strings);
    pictures += tagged(
        "div", "",
        svg_of(drawing_of(boundary, frame, kWidth), says) + tagged("p", "wb-more", escaped(says)));
  }
  return tagged("div", "wb-boundaries", pictures) +
         tagged("p", "wb-more", escaped(strings("boundary.legend")));
}

std::string_view style_of(std::type_identity<BoundaryExhibit> /*kind*/) {
  return ".wb-boundaries{display:flex;flex-wrap:wrap;gap:12px}.wb-boundaries>div{width:240px}\n";
}

}  // namespace warpbook::lab
