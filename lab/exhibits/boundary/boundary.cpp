#include "lab/exhibits/boundary/boundary.hpp"

#include <algorithm>

#include "lab/exhibits/boundary/boundary_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Frame = BoundaryExhibit::Frame;

std::optional<double> wrong_at_last(const BoundaryExhibit& boundary) {
  if (boundary.frames.empty()) return {};
  return figure_of(wrong_in(boundary, boundary.frames.size() - 1));
}

}  // namespace

std::string sentence_of(const BoundaryExhibit& boundary, const Strings& strings) {
  if (boundary.frames.empty()) return strings("boundary.nothing");
  const std::size_t last = boundary.frames.size() - 1;
  std::vector<std::string> shares;
  for (std::uint32_t which = 0; which < boundary.classes; ++which)
    shares.push_back(number(100 * share_of_class(boundary, last, which), 2) + " %");
  const std::vector<std::string> parts{
      frame_text(boundary, last, strings),
      strings("boundary.shares", {{"shares", joined(strings, shares)}})};
  return sentences(strings, parts);
}

/// A row for each step with a picture.
Table table_of(const BoundaryExhibit& boundary, const Strings& strings) {
  Table table{{strings("learning.head.step"), strings("boundary.head.wrong")}, {}};
  for (std::uint32_t which = 0; which < boundary.classes; ++which)
    table.head.push_back(strings("boundary.head.share", {{"class", std::to_string(which)}}));
  for (std::size_t frame = 0; frame < boundary.frames.size(); ++frame) {
    table.rows.push_back(
        {std::to_string(boundary.frames[frame].step), std::to_string(wrong_in(boundary, frame))});
    for (std::uint32_t which = 0; which < boundary.classes; ++which)
      table.rows.back().push_back(number(share_of_class(boundary, frame, which), 4));
  }
  return table;
}

void compare(const BoundaryExhibit& a, const BoundaryExhibit& b, Comparer& comparer) {
  comparer.figure("wrong_points", wrong_at_last(a), wrong_at_last(b));
}

bool valid(const BoundaryExhibit& v) {
  const auto known = [&](const std::vector<std::uint32_t>& classes) {
    return std::ranges::all_of(classes, [&](std::uint32_t each) { return each < v.classes; });
  };
  const std::size_t points = v.labels.size();
  return v.x.size() == points && v.y.size() == points && known(v.labels) && v.reach > 0 &&
         std::ranges::is_sorted(v.frames, {}, &Frame::step) &&
         std::ranges::all_of(v.frames, [&](const Frame& frame) {
           return frame.cells.size() == std::size_t{v.side} * v.side &&
                  frame.answers.size() == points && known(frame.cells) && known(frame.answers);
         });
}

}  // namespace warpbook::lab
