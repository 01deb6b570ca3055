// Boxes in space: what covers what, held against rays that are sent through the boxes themselves.
#include "gui/exhibits/geometry/grid_scene.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <tuple>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::grid_scene_test {
namespace {
using Vector = std::array<double, 3>;

/// Solves for the point of the lattice that is seen at `point`, at the depth of the lattice's origin, and the direction
/// away from the reader; from the camera's angles alone.
struct Ray {
  Vector from, along;
};
Ray ray_at(const GridScene& scene, const GridCamera& camera, ImVec2 point) {
  const double cy = std::cos(camera.yaw), sy = std::sin(camera.yaw), cp = std::cos(camera.pitch),
               sp = std::sin(camera.pitch);
  // Right, down and away as seen by the reader, in the lattice's axes: three unit vectors, perpendicular to each other.
  const Vector right{cy, 0, sy}, down{sy * sp, cp, -cy * sp}, away{-sy * cp, sp, cy * cp};
  const auto& view = scene.view();
  const double scale =
      std::hypot(static_cast<double>(view.axes[0].x), static_cast<double>(view.axes[1].x),
                 static_cast<double>(view.axes[2].x));  // `right` is one long
  const double x = static_cast<double>(point.x - view.origin.x) / scale,
               y = static_cast<double>(point.y - view.origin.y) / scale;
  Ray ray{{}, away};
  for (std::size_t i = 0; i < 3; ++i) ray.from[i] = x * right[i] + y * down[i];
  return ray;
}

/// How far along the ray it enters the box; none where it misses.
std::optional<double> enters(const Ray& ray, const std::array<float, 3>& low, double size) {
  double in = -INFINITY, out = INFINITY;
  for (std::size_t i = 0; i < 3; ++i) {
    const double l = static_cast<double>(low[i]), h = l + size;
    if (std::abs(ray.along[i]) < 1e-9) {
      if (ray.from[i] < l || ray.from[i] > h) return {};
      continue;
    }
    const double a = (l - ray.from[i]) / ray.along[i], b = (h - ray.from[i]) / ray.along[i];
    in = std::max(in, std::min(a, b));
    out = std::min(out, std::max(a, b));
  }
  if (in > out) return {};
  return in;
}
}  // namespace

TEST_CASE("from every side, the box under the mouse is the nearest that a ray meets") {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> turn(-3.1f, 3.1f), lift(0.06f, 1.45f), across(0, 400),
      along(0, 250);
  int met = 0;
  for (int look = 0; look < 60; ++look) {
    const GridCamera camera{turn(random), lift(random), 1, {}};
    const GridScene scene({3, 4, 3}, camera, {0, 0}, {400, 250});
    for (int point = 0; point < 40; ++point) {
      const ImVec2 at{across(random), along(random)};
      const Ray ray = ray_at(scene, camera, at);
      std::optional<GridScene::Place> nearest;
      double depth = INFINITY;
      for (const GridScene::Place& place : scene.places()) {
        const auto enter =
            enters(ray, scene.corner_of(place), static_cast<double>(scene.view().size));
        if (enter && *enter < depth) {
          depth = *enter;
          nearest = place;
        }
      }
      met += nearest ? 1 : 0;
      const auto found = scene.at(at);
      INFO("yaw " << camera.yaw << " pitch " << camera.pitch << " at " << at.x << ", " << at.y);
      CHECK(found.has_value() == nearest.has_value());
      if (found && nearest) CHECK(*found == *nearest);
    }
  }
  CHECK(met > 500);
}

TEST_CASE("boxes are drawn from the farthest to the nearest") {
  for (const float yaw : {-2.5f, -0.6f, 0.6f, 2.5f}) {
    const GridCamera camera{yaw, 0.5f, 1, {}};
    const GridScene scene({3, 3, 3}, camera, {0, 0}, {300, 300});
    // What lies at a box's middle and is drawn later is what `at` gives: nothing drawn earlier may cover it.
    const auto& places = scene.places();
    for (std::size_t early = 0; early < places.size(); ++early) {
      const auto low = scene.corner_of(places[early]);
      const float half = scene.view().size / 2;
      const ImVec2 middle = scene.project(low[0] + half, low[1] + half, low[2] + half);
      const auto seen = scene.at(middle);
      REQUIRE(seen);
      const auto at = std::ranges::find(places, *seen);
      CHECK(at - places.begin() >= static_cast<std::ptrdiff_t>(early));
    }
  }
}

TEST_CASE("every block has its box, and every box its blocks") {
  for (const device::Dim3 grid :
       {device::Dim3{3, 4, 3}, device::Dim3{1, 2, 1}, device::Dim3{128, 96, 1},
        device::Dim3{1000, 1000, 64}, device::Dim3{2'000'000'000, 2, 1},
        device::Dim3{1, 65'535, 65'535}}) {
    const GridScene scene(grid, {}, {0, 0}, {400, 250});
    const auto [x, y, z] = scene.boxes();
    CHECK(std::uint64_t{x} * y * z <= GridScene::kMostBoxes);
    CHECK(std::uint64_t{x} * scene.step() >= grid.x);
    CHECK(std::uint64_t{y} * scene.step() >= grid.y);
    CHECK(std::uint64_t{z} * scene.step() >= grid.z);
    std::set<std::uint64_t> blocks;
    for (const auto& place : scene.places()) {
      const std::uint64_t block = scene.block_of(place);
      CHECK(block < grid.count());
      CHECK(scene.place_of(block) == place);
      blocks.insert(block);
    }
    CHECK(blocks.size() == std::uint64_t{x} * y * z);
    const auto last = scene.place_of(grid.count() - 1);
    CHECK(last == GridScene::Place{x - 1, y - 1, z - 1});
  }
  CHECK(GridScene({100, 100, 1}, {}, {0, 0}, {400, 250}).step() == 1);
  CHECK(GridScene({128, 96, 1}, {}, {0, 0}, {400, 250}).step() == 2);
}

TEST_CASE("the whole grid fits, a slice stays where it was, and a closer look holds its block") {
  const device::Dim3 grid{5, 4, 3};
  for (const float yaw : {-1.2f, 0.3f, 2.0f}) {
    const GridScene whole(grid, {yaw, 0.4f, 1, {}}, {10, 20}, {410, 270});
    for (const auto& place : whole.places()) {
      for (const ImVec2 corner : whole.outline(place)) {
        CHECK(corner.x >= 10);
        CHECK(corner.x <= 410);
        CHECK(corner.y >= 20);
        CHECK(corner.y <= 270);
      }
    }
    const GridScene slice(grid, {yaw, 0.4f, 1, 1}, {10, 20}, {410, 270});
    CHECK(slice.places().size() == 20);
    for (const auto& place : slice.places()) {
      CHECK(place.z == 1);
      CHECK(slice.outline(place)[0].x == whole.outline(place)[0].x);
    }
    const GridScene closer(grid, {yaw, 0.4f, 8, {}}, {10, 20}, {410, 270}, 33);
    const auto outline = closer.outline(closer.place_of(33));
    const auto [low, high] = std::ranges::minmax(outline, {}, &ImVec2::x);
    CHECK(high.x > 10);
    CHECK(low.x < 410);
  }
  const GridScene gone(grid, {0, 0.4f, 1, 7}, {0, 0},
                       {400, 250});  // a slice that this grid has not
  CHECK(gone.places().size() == 60);
}

TEST_CASE("a grid without blocks has nothing to show") {
  for (const device::Dim3 grid : {device::Dim3{0, 1, 1}, device::Dim3{4, 0, 2}}) {
    const GridScene scene(grid, {}, {0, 0}, {400, 250});
    CHECK(scene.places().empty());
    CHECK_FALSE(scene.at({200, 100}));
  }
}

}  // namespace warpbook::gui::grid_scene_test
