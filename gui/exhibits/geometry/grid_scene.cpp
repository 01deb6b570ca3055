#include "gui/exhibits/geometry/grid_scene.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::gui {
namespace {
constexpr float kBox = 0.84f;       // of the room that a block has along x and y
constexpr float kSliceRoom = 2.2f;  // a slice's along z, so that one sees between them
constexpr float kMargin = 0.94f;    // of the rectangle that a grid fills

std::uint32_t up(std::uint32_t value, std::uint32_t by) { return (value + by - 1) / by; }

std::array<std::uint32_t, 3> boxes_at(const device::Dim3& grid, std::uint32_t step) {
  return {up(grid.x, step), up(grid.y, step), up(grid.z, step)};
}

std::uint64_t count(const std::array<std::uint32_t, 3>& boxes) {
  return std::uint64_t{boxes[0]} * boxes[1] * boxes[2];
}

float cross(ImVec2 a, ImVec2 b) { return a.x * b.y - a.y * b.x; }

/// Whether `point` lies in the parallelogram at `corner` that `a` and `b` span.
bool within(ImVec2 point, ImVec2 corner, ImVec2 a, ImVec2 b) {
  const float area = cross(a, b);
  if (std::abs(area) < 1e-6f) return false;
  const ImVec2 from{point.x - corner.x, point.y - corner.y};
  const float along_a = cross(from, b) / area, along_b = cross(a, from) / area;
  return along_a >= 0 && along_a <= 1 && along_b >= 0 && along_b <= 1;
}
}  // namespace

GridScene::GridScene(const device::Dim3& grid, const GridCamera& camera, ImVec2 min, ImVec2 max,
                     std::uint64_t focus)
    : grid_(grid), slice_(camera.slice) {
  boxes_ = boxes_at(grid, step_);
  while (count(boxes_) > kMostBoxes) boxes_ = boxes_at(grid, ++step_);
  if (slice_ && *slice_ >= grid.z) slice_.reset();

  const float cy = std::cos(camera.yaw), sy = std::sin(camera.yaw), cp = std::cos(camera.pitch),
              sp = std::sin(camera.pitch);
  // Of each axis of the lattice: where it points on the page, and how much it leads away from the reader.
  const std::array<ImVec2, 3> axes{ImVec2{cy, sy * sp}, ImVec2{0, cp}, ImVec2{sy, -cy * sp}};
  const std::array<float, 3> away{-sy * cp, sp, cy * cp};

  for (int axis = 0; axis < 3; ++axis)
    view_.low[static_cast<std::size_t>(axis)] = away[static_cast<std::size_t>(axis)] > 0;
  view_.size = kBox;
  view_.axes = axes;
  // A box can only cover those that lie farther along every axis: counting each axis towards the reader is an order in
  // which nothing is covered by what it covers.
  const auto nth = [&](std::size_t axis, std::uint32_t i) {
    return away[axis] > 0 ? boxes_[axis] - 1 - i : i;
  };
  places_.reserve(count(boxes_));
  for (std::uint32_t k = 0; k < boxes_[2]; ++k) {
    for (std::uint32_t j = 0; j < boxes_[1]; ++j) {
      for (std::uint32_t i = 0; i < boxes_[0]; ++i) {
        const Place place{nth(0, i), nth(1, j), nth(2, k)};
        if (shown(place)) places_.push_back(place);
      }
    }
  }
  if (places_.empty()) return;

  // The whole grid fits, whichever slice of it is shown, so that turning pages does not move it.
  const std::array<float, 3> last = corner_of({boxes_[0] - 1, boxes_[1] - 1, boxes_[2] - 1});
  ImVec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
  view_.origin = {0, 0};
  for (unsigned corner = 0; corner < 8; ++corner) {
    const ImVec2 p =
        project((corner & 1) != 0 ? last[0] + kBox : 0, (corner & 2) != 0 ? last[1] + kBox : 0,
                (corner & 4) != 0 ? last[2] + kBox : 0);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const float fit =
      kMargin * std::min((max.x - min.x) / (high.x - low.x), (max.y - min.y) / (high.y - low.y));
  const float scale = fit * camera.zoom;
  for (ImVec2& axis : view_.axes) axis = {axis.x * scale, axis.y * scale};
  const ImVec2 middle{(low.x + high.x) / 2 * scale, (low.y + high.y) / 2 * scale};
  const std::array<float, 3> wanted = corner_of(place_of(focus));
  const ImVec2 there = project(wanted[0] + kBox / 2, wanted[1] + kBox / 2, wanted[2] + kBox / 2);
  const float pull = 1 - 1 / std::max(1.0f, camera.zoom);
  view_.origin = {(min.x + max.x) / 2 - middle.x - pull * (there.x - middle.x),
                  (min.y + max.y) / 2 - middle.y - pull * (there.y - middle.y)};
}

std::uint64_t GridScene::block_of(const Place& place) const {
  return (std::uint64_t{place.z} * step_ * grid_.y + std::uint64_t{place.y} * step_) * grid_.x +
         std::uint64_t{place.x} * step_;
}

GridScene::Place GridScene::place_of(std::uint64_t block) const {
  const std::uint64_t x = std::max(1u, grid_.x), y = std::max(1u, grid_.y);
  return {static_cast<std::uint32_t>(block % x / step_),
          static_cast<std::uint32_t>(block / x % y / step_),
          static_cast<std::uint32_t>(block / x / y / step_)};
}

std::array<float, 3> GridScene::corner_of(const Place& place) const {
  return {static_cast<float>(place.x), static_cast<float>(place.y),
          static_cast<float>(place.z) * kSliceRoom};
}

ImVec2 GridScene::project(float x, float y, float z) const {
  const auto& [ax, ay, az] = view_.axes;
  return {view_.origin.x + x * ax.x + y * ay.x + z * az.x,
          view_.origin.y + x * ax.y + y * ay.y + z * az.y};
}

std::array<ImVec2, 6> GridScene::outline(const Place& place) const {
  const auto at = corner_of(place);
  // Round the corner that is nearest: from each of its three neighbours over the one that lies between to the next.
  const auto corner = [&](unsigned flipped) {
    const auto along = [&](std::size_t axis) {
      const bool high = view_.low[axis] == ((flipped >> axis & 1) != 0);
      return at[axis] + (high ? kBox : 0);
    };
    return project(along(0), along(1), along(2));
  };
  return {corner(1), corner(3), corner(2), corner(6), corner(4), corner(5)};
}

std::optional<GridScene::Place> GridScene::at(ImVec2 point) const {
  const auto edge = [&](std::size_t axis) {
    const float along = view_.low[axis] ? kBox : -kBox;
    return ImVec2{view_.axes[axis].x * along, view_.axes[axis].y * along};
  };
  const ImVec2 x = edge(0), y = edge(1), z = edge(2);
  for (auto place = places_.rbegin(); place != places_.rend(); ++place) {
    const auto low = corner_of(*place);
    const ImVec2 nearest =
        project(low[0] + (view_.low[0] ? 0 : kBox), low[1] + (view_.low[1] ? 0 : kBox),
                low[2] + (view_.low[2] ? 0 : kBox));
    if (within(point, nearest, x, y) || within(point, nearest, y, z) ||
        within(point, nearest, z, x))
      return *place;
  }
  return {};
}

}  // namespace warpbook::gui
