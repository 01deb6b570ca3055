#include <algorithm>

#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostSpokenPoints = 3;  ///< points

}  // namespace

std::string sentence_of(const RooflineExhibit& roofline, const Strings& strings) {
  if (roofline.points.empty()) return strings("roofline.nothing");
  if (drawn_ceilings(roofline).empty()) return strings("roofline.no-roof");
  std::vector<std::string> parts;
  const std::size_t chosen = std::min<std::size_t>(roofline.chosen, roofline.points.size() - 1);
  parts.push_back(point_text(roofline, chosen, strings));
  for (std::size_t i = 0; i < roofline.points.size() && parts.size() < kMostSpokenPoints; ++i) {
    if (i != chosen) parts.push_back(point_text(roofline, i, strings));
  }
  if (parts.size() < roofline.points.size())
    parts.push_back(counted(strings, "roofline.more", roofline.points.size() - parts.size()));
  parts.push_back(roofs_text(roofline, strings));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
