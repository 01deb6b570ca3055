#include "gui/present/strokes.hpp"

#include <cmath>
#include <utility>

namespace warpbook::gui {
namespace {
constexpr float kApart = 1.5f;  // a hand's tremor needs no points of its own

ImVec2 from(ImVec2 corner, ImVec2 at) { return {at.x - corner.x, at.y - corner.y}; }
}  // namespace

void Strokes::begin(const std::string& screen, std::string panel, ImVec2 corner, ImVec2 at) {
  of_[screen].push_back({std::move(panel), {from(corner, at)}});
}

void Strokes::go_on(const std::string& screen, ImVec2 corner, ImVec2 at) {
  const auto strokes = of_.find(screen);
  if (strokes == of_.end() || strokes->second.empty()) return;
  std::vector<ImVec2>& points = strokes->second.back().points;
  const ImVec2 next = from(corner, at), last = points.back();
  if (std::hypot(next.x - last.x, next.y - last.y) >= kApart) points.push_back(next);
}

void Strokes::undo(const std::string& screen) {
  const auto strokes = of_.find(screen);
  if (strokes != of_.end() && !strokes->second.empty()) strokes->second.pop_back();
}

const std::vector<Stroke>& Strokes::of(const std::string& screen) const {
  static const std::vector<Stroke> none;
  const auto strokes = of_.find(screen);
  return strokes == of_.end() ? none : strokes->second;
}

}  // namespace warpbook::gui
