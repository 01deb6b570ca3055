// The drawing of the memory spaces: what is wide, what is faint, and that nothing leaves its place, at any width.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/spaces/spaces_picture.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::spaces_picture_test {
namespace {

using Space = SpacesExhibit::Space;
using Box = SpacesExhibit::Box;
using enum SpacesExhibit::Box;

std::vector<SpacesPicture::Pipe> pipes_of(const SpacesPicture& picture, Space space) {
  std::vector<SpacesPicture::Pipe> found;
  std::ranges::copy_if(picture.pipes, std::back_inserter(found),
                       [&](const auto& pipe) { return pipe.space == space; });
  return found;
}
const SpacesPicture::Box& box_of(const SpacesPicture& picture, Box box) {
  return picture.boxes[static_cast<std::size_t>(box)];
}
SpacesExhibit through(const std::vector<Box>& boxes) {
  SpacesExhibit made = sample::spaces();
  made.journey = SpacesExhibit::Journey{};
  for (const Box box : boxes) made.journey->stations.push_back({box, {}, {}, 0, {}, {}});
  return made;
}
bool within(const Area& area, const Point& point) {
  return point.x >= area.x && point.x <= area.right() && point.y >= area.y &&
         point.y <= area.bottom();
}

}  // namespace

TEST_CASE("Spaces' picture: a pipe is as wide as the square root of its bytes, and never nothing") {
  const SpacesPicture picture = picture_of(sample::spaces(), 720);
  const auto global_ways = pipes_of(picture, Space::l1);
  REQUIRE(global_ways.size() == 2);
  CHECK((global_ways[0].up && !global_ways[0].down));
  CHECK((global_ways[1].down && !global_ways[1].up));
  CHECK(global_ways[0].bytes == 208896 - 16384);
  CHECK(global_ways[1].bytes == 16384);
  CHECK(std::abs(global_ways[1].width - SpacesPicture::kMostPipe * std::sqrt(16384.0 / 208896)) <
        1e-9);
  REQUIRE(pipes_of(picture, Space::texture).size() == 1);
  CHECK(pipes_of(picture, Space::texture)[0].width == SpacesPicture::kLeastPipe);
  REQUIRE(pipes_of(picture, Space::dram).size() == 1);
  CHECK(pipes_of(picture, Space::dram)[0].estimated);
  CHECK((pipes_of(picture, Space::dram)[0].up && pipes_of(picture, Space::dram)[0].down));
  CHECK_FALSE(global_ways[0].estimated);
}

TEST_CASE("Spaces' picture: beside another, pipes are as wide for the same bytes") {
  SpacesExhibit more = sample::spaces();
  for (SpacesExhibit::Row& row : more.rows) {
    if (row.moved) *row.moved *= 4;
  }
  const SpacesExhibit less = sample::spaces();
  CHECK(pipes_of(picture_of(less, 500, &more), Space::local)[0].width ==
        pipes_of(picture_of(more, 500), Space::local)[0].width);
}

TEST_CASE("Spaces: a page draws two runs beside each other with pipes on one scale") {
  SpacesExhibit more = sample::spaces();
  for (SpacesExhibit::Row& row : more.rows) {
    if (row.moved) *row.moved *= 4;
  }
  const Exhibit a = sample::exhibit(sample::spaces()), b = sample::exhibit(more);
  CHECK(to_html(a, &b, sample::english()) != to_html(a, sample::english()));
  CHECK(to_html(b, &a, sample::english()) == to_html(b, sample::english()));
}

TEST_CASE("Spaces' picture: what the launch left alone is faint, what nobody counted is not") {
  SpacesExhibit quiet = sample::spaces();
  for (SpacesExhibit::Row& row : quiet.rows) {
    if (row.space == Space::shared || row.space == Space::texture)
      row.requests = row.asked = row.passes = 0;
  }
  const SpacesPicture picture = picture_of(quiet, 500);
  CHECK_FALSE(box_of(picture, shared).used);
  CHECK_FALSE(box_of(picture, texture).used);
  CHECK(box_of(picture, l1).used);
  CHECK(box_of(picture, global).used);
  CHECK(pipes_of(picture, Space::shared).empty());
  for (SpacesExhibit::Row& row : quiet.rows) row.requests = row.asked = row.moved = {};
  for (const auto& each : picture_of(quiet, 500).boxes) CHECK(each.used);
}

TEST_CASE("Spaces' picture: stations stand in their boxes, none on another, and legs join them") {
  const double width = GENERATE(320.0, 356.0, 461.0, 720.0, 1200.0);
  const auto way = GENERATE(values<std::vector<Box>>(
      {{global, l2, l1, registers, registers},
       {global, l2, l1, registers, l1, registers, registers},
       {global, l2, l1, registers, shared, registers, registers},
       {constant, l2, constant_cache, registers, registers},
       {texture, l2, l1, registers, registers},
       {global, l2, registers},
       {global, l2, l1, shared, registers},
       {global, l2, l1, registers, l2, global, registers},
       {global, l2, l1, registers, local, registers, registers},
       {global, l2, l1, registers, l1, registers, shared, registers, shared, registers, registers},
       {}}));
  CAPTURE(width, way.size());
  const SpacesPicture picture = picture_of(through(way), width);
  REQUIRE(picture.stops.size() == way.size());
  CHECK(picture.legs.size() + 1 == std::max<std::size_t>(1, way.size()));
  for (std::size_t i = 0; i < way.size(); ++i) {
    CAPTURE(i);
    CHECK(within(box_of(picture, way[i]).at, picture.stops[i]));
    for (std::size_t k = 0; k < i; ++k) CHECK_FALSE(picture.stops[i] == picture.stops[k]);
    if (i == 0) continue;
    const auto& leg = picture.legs[i - 1];
    CHECK(leg.front() == picture.stops[i - 1]);
    CHECK(leg.back() == picture.stops[i]);
    for (std::size_t p = 1; p < leg.size(); ++p) {
      const bool straight = leg[p].x == leg[p - 1].x || leg[p].y == leg[p - 1].y;
      CHECK(straight);
    }
  }
}

TEST_CASE("Spaces' picture: pipes stand within their boxes' width and have room for a figure") {
  const double width = GENERATE(320.0, 356.0, 461.0, 720.0);
  const auto way =
      GENERATE(values<std::vector<Box>>({{},
                                         {global, l2, l1, registers, local, registers},
                                         {global, l2, l1, registers, shared, registers}}));
  CAPTURE(width, way.size());
  SpacesExhibit spaces = through(way);
  if (way.empty()) spaces.journey.reset();
  const SpacesPicture picture = picture_of(spaces, width);
  for (const SpacesPicture::Pipe& pipe : picture.pipes) {
    CAPTURE(name_of(pipe.space));
    CHECK(pipe.room > 10);
    CHECK(pipe.top < pipe.bottom);
    CHECK(pipe.x > 0);
    CHECK(pipe.x < width);
    const bool below = pipe.space == Space::l2 || pipe.space == Space::dram;
    for (const auto& leg : picture.legs) {
      for (std::size_t i = 1; below && i < leg.size(); ++i) {
        const auto [upper, lower] = std::minmax(leg[i - 1].y, leg[i].y);
        const bool passes = leg[i].x == leg[i - 1].x && upper <= pipe.label.y &&
                            pipe.label.y <= lower && leg[i].x > pipe.label.x - 4;
        const bool crosses = passes && leg[i].x < pipe.label.x + 60;
        CHECK_FALSE(crosses);
      }
    }
  }
  for (const SpacesPicture::Box& each : picture.boxes) CHECK(each.at.right() <= width);
  CHECK(picture.latencies.empty() == (width < 430));
}

TEST_CASE("Spaces' picture: 64-bit counters and nothing at all are drawn") {
  SpacesExhibit huge = sample::spaces();
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (SpacesExhibit::Row& row : huge.rows)
    row.requests = row.asked = row.moved = row.stored = most;
  for (const SpacesPicture::Pipe& pipe : picture_of(huge, 500).pipes)
    CHECK(pipe.width == SpacesPicture::kMostPipe);
  const SpacesPicture none = picture_of({}, 500);
  CHECK(none.pipes.empty());
  CHECK(none.latencies.empty());
  CHECK(none.boxes.size() == 9);
}

}  // namespace warpbook::lab::spaces_picture_test
