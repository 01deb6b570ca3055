// A display list, and what SVG makes of it.
#include "lab/markup/svg_pen.hpp"

#include <algorithm>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::svg_pen_test {
namespace {

using tests::holds;

Drawing drawing() {
  Drawing made;
  made.width = 100;
  made.height = 50;
  return made;
}
/// With single quotes, which are read more easily here.
std::string drawn(const Drawing& made, std::string_view caption) {
  std::string svg = svg_of(made, caption);
  std::ranges::replace(svg, '"', '\'');
  return svg;
}

}  // namespace

TEST_CASE("SVG: a shape has its role's variable as colour, a value its own colour") {
  Drawing made = drawing();
  made.rectangle({1, 2, 30, 4.5}, {Role::accent_tint, 0.5}, 3);
  made.circle({5, 6}, 7, Paint::of_value(0x21918C), {Role::bad, 2, {3, 4}});
  const std::string svg = drawn(made, "a < b");
  CHECK(holds(svg, "viewBox='0 0 100 50'"));
  CHECK(holds(svg, "aria-label='a &lt; b'"));
  CHECK(holds(svg, "<rect x='1' y='2' width='30' height='4.5' rx='3'"));
  CHECK(holds(svg, " fill='var(--accent-tint)' fill-opacity='0.5'/>"));
  CHECK(holds(svg, "<circle cx='5' cy='6' r='7' fill='#21918c' stroke='var(--bad)'"));
  CHECK(holds(svg, " stroke-width='2' stroke-dasharray='3 4'/>"));
}

TEST_CASE("SVG: lines have no fill, texts are escaped, titles are said") {
  Drawing made = drawing();
  made.polyline({{0, 0}, {1, 2}, {3, 4}}, {Role::t1});
  made.curve({Point{0, 0}, Point{0, 5}, Point{9, 5}, Point{9, 9}}, {category(7)}).title = "A & B";
  made.text({10, 20}, "<x>", {Letters::Face::sans, 10, true}, Role::t2, Anchor::right);
  const std::string svg = drawn(made, "");
  CHECK(holds(svg, "<polyline points='0,0 1,2 3,4' fill='none' stroke='var(--t1)'/>"));
  CHECK(holds(svg, "<path d='M0,0C0,5 9,5 9,9' fill='none' stroke='var(--c1)'><title>A &amp; B"));
  CHECK(holds(svg, " font-weight='700' fill='var(--t2)'>&lt;x&gt;</text>"));
}

TEST_CASE("SVG: what most texts have in common is said once, and the others say their own") {
  Drawing made = drawing();
  for (const char* common : {"a", "b"})
    made.text({10, 20}, common, {Letters::Face::mono, 9}, Role::t2, Anchor::middle);
  made.text({10, 20}, "c", {Letters::Face::mono, 12}, Role::t2, Anchor::left);
  const std::string svg = drawn(made, "");
  CHECK(holds(svg, " font-size='9' text-anchor='middle'><text "));
  CHECK(holds(svg, "' fill='var(--t2)'>b</text>"));
  CHECK(holds(svg, " font-size='12' text-anchor='start' fill='var(--t2)'>c</text>"));
}

TEST_CASE("SVG: what is not seen is not written, but it can be pointed at") {
  Drawing made = drawing();
  made.place({10, 10, 20, 20}, "cell", 1);
  made.place({15, 15, 20, 20}, "cell", 2);
  made.place({0, 0, 100, 50}, "whole");
  CHECK_FALSE(holds(svg_of(made, ""), "<rect"));
  CHECK(item_at(made, "cell", {12, 12}) == ItemId{"cell", 1});
  CHECK(item_at(made, "cell", {20, 20}) == ItemId{"cell", 2});  // it lies on top
  CHECK_FALSE(item_at(made, "cell", {40, 40}));
  REQUIRE(item_of(made, {"cell", 2}));
  CHECK(bounds_of(*item_of(made, {"cell", 2})).x == 15);
  CHECK_FALSE(item_of(made, {"cell", 3}));
}

TEST_CASE("SVG: hatching stays in its area, and an outline lies within it") {
  Drawing made = drawing();
  made.hatch({10, 20, 30, 5}, {Role::bad}, 4);
  CHECK(made.items.size() > 5);
  for (const DrawnItem& item : made.items) {
    const Area at = bounds_of(item);
    CHECK(at.x >= 10);
    CHECK(at.right() <= 40);
    CHECK(at.y >= 20 - 1e-9);
    CHECK(at.bottom() <= 25 + 1e-9);
  }
  const Area inner = bounds_of(made.outline({0, 0, 10, 10}, {Role::bad, 2}));
  CHECK(inner.x == 1);
  CHECK(inner.width == 8);
}

TEST_CASE("SVG: texts are measured by the faces' own advances, and cut where they have no room") {
  const Canvas canvas = svg_canvas(400, sample::english());
  const Letters mono{Letters::Face::mono, 10}, sans{Letters::Face::sans, 10};
  CHECK(canvas.text_width(mono, "abc") == Catch::Approx(18));
  CHECK(canvas.text_width(mono, "线程") == Catch::Approx(20));
  CHECK(canvas.text_width(sans, "iii") < canvas.text_width(sans, "mmm"));
  CHECK(canvas.fitted(mono, "abcdef", 36) == "abcdef");
  CHECK(canvas.fitted(mono, "abcdef", 30) == "abcd…");
  CHECK(canvas.sized(mono, "abcdef", 30, 6).size == Catch::Approx(8));
  CHECK(canvas.sized(mono, "abcdef", 3, 6).size == 6);
}

}  // namespace warpbook::lab::svg_pen_test
