#include "gui/present/monitors.hpp"

#include <algorithm>

namespace warpbook::gui {
namespace {
/// The area that both have in common.
long shared_area(const Rectangle& a, const Rectangle& b) {
  const long wide = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x),
             high = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return std::max(0L, wide) * std::max(0L, high);
}
}  // namespace

LectureMonitors lecture_monitors(std::span<const Rectangle> monitors, const Rectangle& window) {
  if (monitors.size() < 2) return {};
  const auto on = std::ranges::max_element(
      monitors, {}, [&](const Rectangle& one) { return shared_area(one, window); });
  const auto at = static_cast<std::size_t>(on - monitors.begin());
  return at == 0 ? LectureMonitors{1, 0} : LectureMonitors{at, 0};
}

}  // namespace warpbook::gui
