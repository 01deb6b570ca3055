// Boundaries: what is wrong in them, and how they are drawn and written.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/boundary/boundary_picture.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::boundary_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::holds;

}  // namespace

TEST_CASE("Boundary: samples whose answer is not their label are wrong") {
  const BoundaryExhibit boundary = sample::boundary();
  CHECK(wrong_in(boundary, 0) == 2);
  CHECK(wrong_in(boundary, 1) == 1);
  CHECK(share_of_class(boundary, 1, 1) == 0.25);
}

TEST_CASE("Boundary: the frame of a step is the last one that is not after it") {
  const BoundaryExhibit boundary = sample::boundary();
  CHECK(frame_of_step(boundary, {}) == 1);
  CHECK(frame_of_step(boundary, std::uint64_t{9}) == 0);
  CHECK(frame_of_step(boundary, std::uint64_t{10}) == 1);
  CHECK_FALSE(frame_of_step(BoundaryExhibit{}, {}));
}

TEST_CASE("Boundary: its picture has the regions, every sample, and a box round each wrong one") {
  const Drawing drawing = drawing_of(sample::boundary(), 1, 100);
  const auto of_shape = [&](auto is) { return std::ranges::count_if(drawing.items, is); };
  CHECK(of_shape(
            [](const DrawnItem& item) { return std::holds_alternative<Circle>(item.shape); }) == 3);
  CHECK(of_shape([](const DrawnItem& item) { return item.stroke.paint.role() == Role::bad; }) == 1);
  // The ground, two cells of the upper row, and the lower row in one piece.
  CHECK(of_shape([](const DrawnItem& item) {
          return std::holds_alternative<Rectangle>(item.shape) && item.fill.visible();
        }) == 4);
  // The first sample is at the upper left.
  const auto first = std::ranges::find_if(drawing.items, [](const DrawnItem& item) {
    return std::holds_alternative<Circle>(item.shape);
  });
  CHECK(std::get<Circle>(first->shape).middle.x < 50);
  CHECK(std::get<Circle>(first->shape).middle.y < 50);
}

TEST_CASE("Boundary: its text is a map of the answers at the last step") {
  const std::string text = to_text(exhibit(sample::boundary()), english(), 100);
  CHECK(holds(text, "  ..oo\n  ....\n"));
  CHECK(holds(text, "Before step 10, the network gets 1 of 3 points wrong."));
}

TEST_CASE("Boundary: a row of its table for each step with a picture") {
  const Table table = table_of(sample::boundary(), english());
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1] == std::vector<std::string>{"10", "1", "0.75", "0.25"});
}

TEST_CASE("Boundary: one that lacks a cell, or has a class that there is not, is not valid") {
  CHECK(valid(sample::boundary()));
  BoundaryExhibit boundary = sample::boundary();
  boundary.frames[0].cells.pop_back();
  CHECK_FALSE(valid(boundary));
  boundary = sample::boundary();
  boundary.frames[1].answers[0] = 2;
  CHECK_FALSE(valid(boundary));
}

TEST_CASE("Boundary: before the first step there is a sentence and no picture") {
  CHECK(html_body(BoundaryExhibit{}, english(), "").empty());
  CHECK(sentence(exhibit(BoundaryExhibit{}), sample::keys()) == "boundary.nothing");
}

}  // namespace warpbook::lab::boundary_test
