// The picture of a timeline: where boxes and arrows lie, and how many shapes there are at most.
#include <algorithm>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/timeline/timeline_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::timeline_picture_test {
namespace {

using Catch::Approx;
using sample::english;
using sample::exhibit;
using tests::count_of;
using tests::count_of_text;
using enum TimelineExhibit::Activity;

constexpr double kWidth = 768;

Canvas canvas() { return svg_canvas(kWidth, english()); }
TimelinePlane plane_of(const TimelineExhibit& timeline) { return {timeline, nullptr, canvas()}; }
Drawing picture(const TimelineExhibit& timeline, std::optional<std::size_t> shown = {}) {
  return drawing_of(timeline, plane_of(timeline), shown, canvas());
}

TimelineExhibit ordered(TimelineExhibit timeline) {
  timeline.times.reset();
  return timeline;
}

/// Spans of one stream, each a second long or as long as told, with the same gap behind each.
TimelineExhibit row(std::size_t count, double gap, const auto& name_of, double seconds = 1) {
  TimelineExhibit made;
  made.rows = {stream_row(1)};
  made.times = device::Evidence{device::EvidenceKind::measured, Message::plain("GPU"), {}};
  for (std::size_t i = 0; i < count; ++i) {
    const double begin = static_cast<double>(i) * (seconds + gap);
    made.spans.push_back({0, kernel, name_of(i), begin, begin + seconds, 0, 0, {}, {}});
  }
  return made;
}
std::string same(std::size_t /*i*/) { return "matrixMul"; }
std::string other(std::size_t i) { return i % 2 == 0 ? "even" : "odd"; }

}  // namespace

TEST_CASE("Timeline: each span has a box as long as its time, on its row") {
  const TimelineExhibit made = sample::timeline();
  const TimelinePlane plane = plane_of(made);
  const TimelinePiece& copy = plane.pieces()[*plane.piece_of(7)];
  CHECK(copy.run.row == 2);
  CHECK(copy.left == Approx(plane.across(304e-6)));
  CHECK(copy.right == Approx(plane.across(604e-6)));
  CHECK((copy.right - copy.left) / plane.area().width == Approx(300.0 / 1104));
  CHECK(plane.strip(2).holds({copy.left + 1, plane.box(copy).middle().y}));
}

TEST_CASE("Timeline: boxes of a row never overlap and have a least width, however short they are") {
  const auto [count, gap, seconds] = GENERATE(table<std::size_t, double, double>(
      {{3, 0, 1}, {10'000, 0, 1}, {10'000, 3, 1}, {10'000, 1, 0}, {777, 0.01, 1}}));
  CAPTURE(count, gap, seconds);
  for (const auto& name : {same, other}) {
    const TimelinePlane plane = plane_of(row(count, gap, name, seconds));
    std::uint64_t spans = 0;
    double before = 0;
    for (const TimelinePiece& piece : plane.pieces()) {
      CHECK(piece.left >= before - 1e-6);
      CHECK(piece.right - piece.left >= 3.999);
      before = piece.right;
      spans += piece.run.count;
    }
    CHECK(spans == count);
  }
}

TEST_CASE("Timeline: the number of shapes is bounded, whatever there is") {
  TimelineExhibit many;
  many.times = device::Evidence{};
  for (std::uint32_t row = 0; row < 100; ++row) many.rows.push_back(stream_row(row));
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    TimelineExhibit::Span span;
    span.row = i % 100;
    span.activity = static_cast<TimelineExhibit::Activity>(i * 7 / 100 % 8);
    span.label = std::to_string(i % 13);
    const auto round = i / 100;
    span.begin = static_cast<double>(round);
    span.end = span.begin + 0.9;
    if (i >= 103) span.after = {i - 103};
    many.spans.push_back(span);
  }
  const std::size_t timed = picture(many).items.size(), steps = picture(ordered(many)).items.size();
  CHECK(timed < 8'000);
  CHECK(steps < 8'000);
  CHECK(tests::count_outside(picture(many)) == 0);
  CHECK(count_of_text(picture(many), english()("timeline.more-rows", {{"count", "84"}})) == 1);
  CHECK(count_of_text(picture(many), english()("timeline.many-arrows")) == 1);
  CHECK(count_of(picture(many), "arrow") == 0);
}

TEST_CASE("Timeline: equal neighbours without room for their names fold, others keep their boxes") {
  const TimelinePlane folded = plane_of(row(300, 0, same));
  REQUIRE(folded.pieces().size() == 1);
  CHECK(folded.pieces()[0].alike);
  CHECK(count_of_text(picture(row(300, 0, same)), "300 × matrixMul") == 1);
  CHECK(plane_of(row(4, 0, same)).pieces().size() == 4);  // each has room for its name
  CHECK(plane_of(row(60, 0, other)).pieces().size() == 60);
  CHECK(plane_of(row(60, 1, same)).pieces().size() == 60);  // gaps are to be seen
}

TEST_CASE("Timeline: a folded box shows where its spans begin, while there is room to see it") {
  const std::int64_t notches = count_of(picture(row(30, 0, same)), "notch");
  CHECK(notches > 20);  // none crosses the name out
  CHECK(notches < 29);
  CHECK(count_of(picture(row(3'000, 0, same)), "notch") == 0);
}

TEST_CASE("Timeline: what is too close together shares a box, which says so") {
  const TimelineExhibit made = row(10'000, 0, other);
  const TimelinePlane plane = plane_of(made);
  const TimelinePiece& piece = plane.pieces()[5];
  CHECK_FALSE(piece.alike);
  CHECK(tests::holds(piece_text(made, piece, whole_of(made), sample::keys()),
                     "timeline.facts-close(count="));
  CHECK(count_of_text(picture(made), english()("timeline.close")) == 1);
}

TEST_CASE("Timeline: a short call before a long wait leaves the wait a box of its own") {
  TimelineExhibit made = row(2, 0, other);
  made.spans[0].end = made.spans[1].begin = 1e-5;
  const TimelinePlane plane = plane_of(made);
  REQUIRE(plane.pieces().size() == 2);
  CHECK(plane.pieces()[0].right == Approx(plane.pieces()[1].left));
}

TEST_CASE("Timeline: an arrow leads from the end of what was awaited to what waited") {
  const TimelineExhibit made = sample::timeline();
  const TimelinePlane plane = plane_of(made);
  REQUIRE(plane.arrows().size() == 4);
  const auto arrow = std::ranges::find_if(
      plane.arrows(), [&](const TimelinePlane::Arrow& one) { return one.to == plane.piece_of(7); });
  REQUIRE(arrow != plane.arrows().end());
  CHECK(arrow->from == plane.piece_of(1));
  CHECK(arrow->begin.x == Approx(plane.across(304e-6)).margin(4));
  CHECK(arrow->end.x == Approx(plane.across(304e-6)).margin(4));
  CHECK(arrow->end.y > arrow->begin.y);
  // The host began to wait before: the arrow leads to the end of its waiting.
  const auto upwards = std::ranges::find_if(plane.arrows(), [&](const TimelinePlane::Arrow& one) {
    return one.to == plane.piece_of(12) && one.from == plane.piece_of(11);
  });
  REQUIRE(upwards != plane.arrows().end());
  CHECK(upwards->end.x == Approx(plane.across(1104e-6)).margin(4));
  CHECK(upwards->end.y < upwards->begin.y);
  CHECK(count_of(picture(made), "arrow") == 4);
}

TEST_CASE(
    "Timeline: where there are too many arrows, the box that is pointed at still has its own") {
  TimelineExhibit made = row(60, 0.5, other);
  made.rows.push_back(stream_row(2));
  for (std::uint32_t i = 0; i < 60; ++i) {
    TimelineExhibit::Span span = made.spans[i];
    span.row = 1;
    span.begin += 0.5;
    span.end += 0.5;
    span.after = {i};
    made.spans.push_back(span);
  }
  CHECK(count_of(picture(made), "arrow") == 0);
  CHECK(count_of(picture(made, plane_of(made).piece_of(3)), "arrow") == 1);
}

TEST_CASE("Timeline: where only the order is known, all boxes are equally wide") {
  const TimelinePlane plane = plane_of(ordered(sample::timeline()));
  const double wide = plane.pieces()[0].right - plane.pieces()[0].left;
  for (const TimelinePiece& piece : plane.pieces()) CHECK(piece.right - piece.left == Approx(wide));
  CHECK(count_of_text(picture(ordered(sample::timeline())), english()("timeline.order")) == 1);
}

TEST_CASE("Timeline: a stretch of it is drawn alone, and reaches from edge to edge") {
  const TimelineExhibit made = sample::timeline();
  const TimelinePlane whole = plane_of(made);
  const TimelinePlane part(made, nullptr, canvas(), {604e-6, 804e-6});
  CHECK(part.axis_end() == whole.axis_end());
  CHECK(part.across(704e-6) == Approx(part.area().middle().x));
  CHECK(part.at(part.area().middle().x) == Approx(704e-6));
  CHECK_FALSE(part.piece_of(1).has_value());  // it ended before
  const auto kernel_box = part.piece_of(9);
  REQUIRE(kernel_box);
  CHECK(part.pieces()[*kernel_box].left == Approx(part.area().x));
  CHECK(part.pieces()[*kernel_box].right == Approx(part.area().right()));
  // Its words are those of all of it, of which the picture shows a part.
  CHECK(piece_text(made, part.pieces()[*part.piece_of(5)], whole_of(made), english()) ==
        piece_text(made, whole.pieces()[*whole.piece_of(5)], whole_of(made), english()));
  CHECK(part.height() <= whole.height());
}

TEST_CASE("Timeline: a page draws two runs beside each other on the same axis") {
  TimelineExhibit slow = sample::timeline();
  slow.total = 4e-3;
  const TimelineExhibit fast = sample::timeline();
  const TimelinePlane beside(fast, &slow, canvas());
  CHECK(beside.axis_end() == 4e-3);
  CHECK(TimelinePlane(slow, &fast, canvas()).axis_end() == 4e-3);
  const TimelineExhibit steps = ordered(slow);
  CHECK(TimelinePlane(fast, &steps, canvas()).axis_end() == Approx(1104e-6));
  const auto picture_in = [](const std::string& html) {
    return html.substr(html.find("<svg"), html.find("</svg>") - html.find("<svg"));
  };
  const Exhibit a = exhibit(fast), b = exhibit(slow);
  const std::string alone = picture_in(to_html(a, english()));
  CHECK(picture_in(to_html(a, &b, english())) != alone);
  CHECK(picture_in(to_html(a, &a, english())) == alone);
}

TEST_CASE("Timeline: points and keys find boxes") {
  const TimelineExhibit made = sample::timeline();
  const TimelinePlane plane = plane_of(made);
  const std::size_t copy = *plane.piece_of(1), kernel = *plane.piece_of(3);
  CHECK(plane.piece_at(plane.box(plane.pieces()[kernel]).middle()) == kernel);
  CHECK_FALSE(plane.piece_at({1, 1}));
  CHECK(plane.beside(copy, 1) == kernel);
  CHECK(plane.beside(kernel, -1) == copy);
  CHECK_FALSE(plane.beside(copy, -1));
  CHECK(plane.on_next_row(copy, -1) == plane.piece_of(12));  // the host waits meanwhile
  CHECK(plane.on_next_row(kernel, 1) == plane.piece_of(7));
  CHECK_FALSE(plane.on_next_row(*plane.piece_of(7), 1));
}

TEST_CASE("Timeline: activities differ in more than their colours") {
  TimelineExhibit made = row(8, 0.1, same);
  for (std::size_t i = 0; i < 8; ++i)
    made.spans[i].activity = static_cast<TimelineExhibit::Activity>(i);
  const Drawing drawing = picture(made);
  for (std::size_t i = 0; i < 8; ++i) {
    const auto name = activity_name(static_cast<TimelineExhibit::Activity>(i), english());
    CAPTURE(name);
    CHECK(count_of_text(drawing, name) == 1);  // the legend
  }
  const TimelinePlane plane = plane_of(made);
  const auto height_of = [&](std::size_t i) { return plane.box(plane.pieces()[i]).height; };
  const auto top_of = [&](std::size_t i) { return plane.box(plane.pieces()[i]).y; };
  CHECK(height_of(static_cast<std::size_t>(kernel)) > height_of(static_cast<std::size_t>(copy_in)));
  CHECK(top_of(static_cast<std::size_t>(copy_in)) > top_of(static_cast<std::size_t>(copy_out)));
}

TEST_CASE("Timeline: nothing leaves the picture, at any width, in either language") {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = sample::strings(language);
    for (const double width : {200.0, 420.0, 1200.0}) {
      CAPTURE(language, width);
      const Canvas narrow = svg_canvas(width, *strings);
      for (const TimelineExhibit& made : {sample::timeline(), ordered(sample::timeline())}) {
        const TimelinePlane plane(made, nullptr, narrow);
        CHECK(tests::count_outside(drawing_of(made, plane, 0, narrow)) == 0);
      }
    }
  }
}

}  // namespace warpbook::lab::timeline_picture_test
