// Bars: what is held against what, what the renderers say, and how the picture lays them out.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/bars/bars_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::bars_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::count_of_text;
using tests::count_outside;
using tests::holds;

/// Groups about the same three things.
BarsExhibit alike(std::size_t groups = 2) {
  BarsExhibit bars{Message::plain("says"), {}};
  for (std::size_t i = 0; i < groups; ++i)
    bars.groups.push_back({Message::plain("group " + std::to_string(i)), {}});
  for (BarsExhibit::Group& group : bars.groups) {
    for (const char* label : {"a", "b", "c"}) group.bars.push_back({Message::plain(label), 3, "3"});
  }
  return bars;
}

/// The longest of the shapes in the colour of a group.
double longest(const Drawing& drawing, std::size_t group) {
  double most = 0;
  for (const DrawnItem& item : drawing.items) {
    if (item.fill.role() == category(group)) most = std::max(most, bounds_of(item).width);
  }
  return most;
}

}  // namespace

TEST_CASE("A group's scale ends at its longest bar, or at that of the exhibit beside it") {
  const BarsExhibit bars = sample::bars();
  BarsExhibit longer = bars;
  longer.groups[0].bars[1].value = 1536;
  CHECK(end_of_scale(bars, 0, nullptr) == 768);
  CHECK(end_of_scale(bars, 1, nullptr) == 156);
  CHECK(end_of_scale(bars, 0, &longer) == 1536);
  longer.groups.pop_back();  // what has other groups is not held against it
  CHECK(end_of_scale(bars, 0, &longer) == 768);
}

TEST_CASE("Bars are rendered as text, HTML, JSON and a table") {
  const BarsExhibit bars = sample::bars();
  for (const int width : {24, 80, 200})
    CHECK_FALSE(to_text(exhibit(bars), english(), width).empty());
  const std::string text = to_text(exhibit(bars), english(), 80);
  for (const char* said : {"Twice as many", "bytes", "requested", "384 B", "768 B", "156"})
    CHECK(holds(text, said));
  CHECK(to_json(exhibit(bars), english())["kind"] == "bars");
  CHECK(table_of(exhibit(bars), english()).rows.size() == 3);
  CHECK(holds(to_html(exhibit(bars), english()), "<svg"));
}

TEST_CASE(
    "In the picture a bar is as long as its value, and half as long beside one of twice as much") {
  const BarsExhibit bars = sample::bars();
  BarsExhibit twice = bars;
  twice.groups[0].bars[1].value *= 2;
  const Canvas canvas = svg_canvas(600, english());
  const double alone = longest(drawing_of(bars, nullptr, canvas), 0),
               beside = longest(drawing_of(bars, &twice, canvas), 0);
  CHECK(alone > 100);
  CHECK(std::abs(beside - alone / 2) < 1);
}

TEST_CASE(
    "Groups with the same labels share them where the picture is wide, and have their own where it "
    "is narrow") {
  CHECK(have_same_labels(alike()));
  CHECK_FALSE(have_same_labels(sample::bars()));
  const Drawing wide = drawing_of(alike(), nullptr, svg_canvas(640, english())),
                narrow = drawing_of(alike(), nullptr, svg_canvas(200, english()));
  CHECK(count_of_text(wide, "a") == 1);
  CHECK(count_of_text(narrow, "a") == 2);
  CHECK(wide.height < narrow.height);
}

TEST_CASE(
    "Many groups with the same labels stand in rows, as few and as even as the width allows") {
  for (const auto& [width, rows] :
       {std::pair(1200.0, 1), std::pair(700.0, 2), std::pair(320.0, 4)}) {
    CAPTURE(width);
    const Drawing drawing = drawing_of(alike(7), nullptr, svg_canvas(width, english()));
    CHECK(count_of_text(drawing, "a") == rows);
    CHECK(count_of_text(drawing, "group 6") == 1);
    CHECK(count_outside(drawing) == 0);
  }
}

TEST_CASE(
    "Long values have fewer columns, so that they lie over no label and leave the bars room") {
  constexpr double kWidth = 480, kRoom = 40;
  BarsExhibit bars = alike(3);
  CHECK(count_of_text(drawing_of(bars, nullptr, svg_canvas(kWidth, english())), "a") == 1);
  for (BarsExhibit::Bar& bar : bars.groups[2].bars) bar.text = "25.7 µs (21.4 µs – 40.2 µs)";
  const Drawing drawing = drawing_of(bars, nullptr, svg_canvas(kWidth, english()));
  CHECK(count_of_text(drawing, "a") == 3);
  for (std::size_t group = 0; group < 3; ++group) CHECK(longest(drawing, group) > kRoom);
}

TEST_CASE("As text, many groups with the same labels are a table, where the page has room for it") {
  BarsExhibit bars = alike(5);
  CHECK(holds(to_text(exhibit(bars), english(), 80), "group 4  3  3  3"));
  bars.groups[4].meaning = Message::plain("a meaning that has a line for itself");
  CHECK_FALSE(holds(to_text(exhibit(bars), english(), 30), "  3  3  3"));
}

TEST_CASE("Bars keep within their picture at every width, and a long meaning takes more lines") {
  BarsExhibit bars = sample::bars();
  for (const double width : {120.0, 300.0, 900.0})
    CHECK(count_outside(drawing_of(bars, nullptr, svg_canvas(width, english()))) == 0);
  const Canvas canvas = svg_canvas(300, english());
  const double before = drawing_of(bars, nullptr, canvas).height;
  bars.groups[0].meaning =
      Message::plain("a meaning that is so long that a line of this picture has no room for it");
  CHECK(drawing_of(bars, nullptr, canvas).height > before);
}

TEST_CASE("A value below 0 or one that is no number is not valid") {
  CHECK(valid(sample::bars()));
  for (const double value :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    BarsExhibit bars = sample::bars();
    bars.groups[0].bars[0].value = value;
    CHECK_FALSE(valid(bars));
  }
}

}  // namespace warpbook::lab::bars_exhibit_test
