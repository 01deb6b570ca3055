#include <optional>
#include <string>

#include "lab/exhibits/tree/tree_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;

}  // namespace

std::string html_body(const TreeExhibit& tree, const Strings& strings, const std::string& caption) {
  if (tree.rounds.empty()) return {};
  const TreePlane plane(tree, kWidth);
  std::string list;
  for (std::size_t round = 0; round < tree.rounds.size(); ++round)
    list += tagged("li", "", escaped(round_text(tree, round, strings)));
  return svg_of(drawing_of(tree, plane, {}, svg_canvas(kWidth, strings)), caption) +
         tagged("p", "wb-more", escaped(strings("tree.legend"))) + tagged("ul", "", list);
}

}  // namespace warpbook::lab
