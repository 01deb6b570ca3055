// The picture of a launch: its blocks, and what of them is idle.
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/geometry/geometry_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::geometry_exhibit_test {
namespace {

using sample::english;
using tests::count_of;
using tests::count_outside;

/// Blocks of 32 threads, of which the last has `idle` without work.
GeometryExhibit launch(const device::Dim3& grid, std::uint32_t idle) {
  GeometryExhibit made;
  made.grid = grid;
  made.block = {32, 1, 1};
  made.threads = grid.count() * 32;
  made.idle = idle;
  made.stored.assign(grid.count(), ~0u);
  if (idle > 0) made.stored.back() = ~0u >> idle;
  return made;
}

Drawing drawn(const GeometryExhibit& geometry, double width = 640) {
  return drawing_of(geometry, svg_canvas(width, english()));
}

}  // namespace

TEST_CASE("A launch's blocks are drawn each, and those with idle threads are hatched in part") {
  const Drawing row = drawn(launch({5, 1, 1}, 8)), full = drawn(launch({5, 1, 1}, 0)),
                grid = drawn(launch({6, 4, 2}, 8));
  CHECK(count_of(row, "block") == 5);
  CHECK(count_of(row, "idle") == 1);
  CHECK(count_of(full, "idle") == 0);
  CHECK(count_of(grid, "block") == 48);
  CHECK(count_of(grid, "idle") == 1);
}

TEST_CASE(
    "A launch's picture keeps within its width, and of very many blocks one bar stands for all") {
  for (const device::Dim3& grid : {device::Dim3{1, 1, 1}, device::Dim3{64, 1, 1},
                                   device::Dim3{40, 30, 1}, device::Dim3{8, 8, 20}}) {
    for (const double width : {120.0, 640.0}) {
      CAPTURE(grid.x, grid.y, grid.z, width);
      CHECK(count_outside(drawn(launch(grid, 3), width)) == 0);
    }
  }
  CHECK(count_of(drawn(launch({65, 1, 1}, 3)), "block") == 1);
  CHECK(count_of(drawn(launch({400, 400, 1}, 3)), "block") == 1);
}

TEST_CASE("A launch's page has the picture with its sentence") {
  const std::string html = to_html(sample::exhibit(launch({3, 2, 1}, 8)), english());
  CHECK(tests::holds(html, "<svg"));
  CHECK(tests::holds(html, "192 threads in 6 blocks"));
}

}  // namespace warpbook::lab::geometry_exhibit_test
