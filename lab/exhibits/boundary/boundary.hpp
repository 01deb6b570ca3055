// What a classifier answers in the plane, step by step: the regions of its answers, and the points that it learns from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/types.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// A square of the plane as cells, with the network's answer at the middle of each, at several steps of its training; and the samples.
struct BoundaryExhibit {
  static constexpr std::string_view kKind = "boundary";
  /// The network before that step.
  struct Frame {
    std::uint64_t step = 0;
    std::vector<std::uint32_t> cells;    ///< the class at each, row by row from the top
    std::vector<std::uint32_t> answers;  ///< the class of each sample, as the network has it
    friend bool operator==(const Frame&, const Frame&) = default;
  };
  std::uint32_t side = 0;  ///< cells in a row, and rows
  std::uint32_t classes = 0;
  double reach = 1;  ///< both coordinates go from -reach to reach
  std::vector<double> x, y;
  std::vector<std::uint32_t> labels;  ///< of the samples
  std::vector<Frame> frames;          ///< by step
  friend bool operator==(const BoundaryExhibit&, const BoundaryExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<BoundaryExhibit::Frame> auto& v) {
  visit("step", v.step);
  visit("cells", v.cells);
  visit("answers", v.answers);
}

template <class V>
void fields(V&& visit, Is<BoundaryExhibit> auto& v) {
  visit("side", v.side);
  visit("classes", v.classes);
  visit("reach", v.reach);
  visit("x", v.x);
  visit("y", v.y);
  visit("labels", v.labels);
  visit("frames", v.frames);
}
/// Every frame has an answer for each cell and each sample, and all classes are some of those that there are.
bool valid(const BoundaryExhibit& v);

std::string sentence_of(const BoundaryExhibit& boundary, const Strings& strings);
void text_body(const BoundaryExhibit& boundary, const Strings& strings, Page& page);
std::string html_body(const BoundaryExhibit& boundary, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<BoundaryExhibit> kind);
Table table_of(const BoundaryExhibit& boundary, const Strings& strings);
void compare(const BoundaryExhibit& a, const BoundaryExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
