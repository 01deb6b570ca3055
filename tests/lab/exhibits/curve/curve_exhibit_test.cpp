// Curves: what is kept of a kernel's arrays, held against plain searching; what the renderers say of empty, single, constant,
// huge, infinite and broken data.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/curve/curve_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::curve_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using sample::tensor;
using tests::holds;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::string said(const CurveExhibit& curve) { return sentence(exhibit(curve), sample::keys()); }

/// f and its slope at these x; element `chosen` is the shown one.
CurveExhibit made(const std::vector<float>& x, const std::vector<float>& y,
                  const std::vector<float>& slope = {}, std::uint64_t chosen = ~0ull) {
  std::vector<CurveExhibit::Series> series{{Message::plain("f"), tensor("y", y), {}, 0, 0}};
  if (!slope.empty()) {
    series[0].slope = 1;
    series.push_back({Message::plain("f'"), tensor("dx", slope), {}, 0, 0});
  }
  return curve_of(Message::plain("x"), tensor("x", x), std::move(series), chosen);
}

/// All renderers; gives back the HTML.
Drawing picture(const CurveExhibit& curve) {
  const Canvas canvas = svg_canvas(768, english());
  return drawing_of(curve, CurvePlane(curve, nullptr, canvas), curve.chosen, canvas);
}
std::string drawn(const CurveExhibit& curve, const Strings& strings) {
  CHECK_FALSE(to_text(exhibit(curve), strings, 24).empty());
  CHECK(to_json(exhibit(curve), english())["kind"] == "curve");
  CHECK(table_of(exhibit(curve), strings).rows.size() == points_of(curve));
  return to_html(exhibit(curve), strings);
}

}  // namespace

TEST_CASE(
    "Curve: few elements are all kept, in the order of x, with infinities and NaN at the ends") {
  const CurveExhibit curve =
      made({2, kNaN, -1, kInf, 0, -kInf}, {20, 1, -10, 3, 0, 5}, {1, 2, 3, 4, 5, 6}, 4);
  CHECK(curve.element == std::vector<std::uint64_t>{5, 2, 4, 0, 3, 1});
  CHECK(curve.elements == 6);
  CHECK(curve.chosen == 2);
  CHECK(y_at(curve, 0, 3) == 20);
  CHECK(y_at(curve, 1, 3) == 1);
  CHECK(limit_of(curve, 0, true) == 3.0);
  CHECK(limit_of(curve, 0, false) == 5.0);
  const auto tangent = tangent_at(curve, curve.chosen);
  REQUIRE(tangent);
  CHECK(tangent->slope == 5);
}

TEST_CASE("Curve: of ten million elements the extremes, the gaps and the chosen one are kept") {
  constexpr std::size_t kElements = 10'000'000;
  std::vector<float> x(kElements), y(kElements);
  std::mt19937 random(7);
  for (std::size_t i = 0; i < kElements; ++i) {
    x[i] = static_cast<float>(random()) * 0x1p-31f - 1;
    y[i] = std::sin(40 * x[i]);
  }
  y[1'234'567] = 9;
  y[7'654'321] = -9;
  y[5'000'000] = kNaN;
  y[6'000'000] = kInf;
  x[3'000'000] = kInf;
  y[3'000'000] = 4;
  const CurveExhibit curve = made(x, y, {}, 8'888'888);
  CHECK(curve.elements == kElements);
  CHECK(points_of(curve) <= kMostCurvePoints);
  for (const std::uint64_t wanted :
       {1'234'567ull, 7'654'321ull, 5'000'000ull, 6'000'000ull, 3'000'000ull, 8'888'888ull}) {
    CAPTURE(wanted);
    CHECK(std::ranges::find(curve.element, wanted) != curve.element.end());
  }
  CHECK(curve.element[curve.chosen] == 8'888'888);
  const auto extremes = extremes_of(curve, 0);
  REQUIRE(extremes);
  CHECK(y_at(curve, 0, extremes->first) == -9);
  CHECK(y_at(curve, 0, extremes->second) == 9);
  bool exact = true, ordered = true;
  for (std::uint64_t p = 0; p < points_of(curve); ++p) {
    const float value = y[curve.element[p]];
    exact &= std::isnan(value) ? std::isnan(y_at(curve, 0, p))
                               : y_at(curve, 0, p) == static_cast<double>(value);
    ordered &= p == 0 || x_at(curve, p - 1) <= x_at(curve, p);
  }
  CHECK(exact);
  CHECK(ordered);
  CHECK(curve.series[0].nans == 1);
  CHECK(curve.series[0].infinities == 1);
  CHECK(holds(said(curve),
              "curve.thinned(shown=" + grouped(points_of(curve)) + ", elements=10,000,000)"));
  CHECK(drawn(curve, english()).size() < 200'000);
  CHECK(to_text(exhibit(curve), english(), 100).size() < 10'000);
}

TEST_CASE("Curve: a thinned line reaches every extreme of every piece of the x axis") {
  std::vector<float> x, y;
  std::mt19937 random(3);
  for (int i = 0; i < 4000; ++i) {
    x.push_back(static_cast<float>(i));
    y.push_back(static_cast<float>(random() % 1000));
  }
  const CurveExhibit curve = made(x, y);
  constexpr std::uint64_t kColumns = 50;
  const auto runs = runs_of(curve, 0, kColumns);
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].size() <= 4 * kColumns);
  CHECK(std::ranges::is_sorted(runs[0]));
  for (std::uint64_t c = 0; c < kColumns; ++c) {
    const auto in = [&](std::uint64_t p) {
      return std::min(kColumns - 1,
                      static_cast<std::uint64_t>(static_cast<double>(p) / 3999 * kColumns)) == c;
    };
    float low = 1e9f, high = -1e9f, drawn_low = 1e9f, drawn_high = -1e9f;
    for (std::uint64_t p = 0; p < 4000; ++p) {
      if (!in(p)) continue;
      low = std::min(low, y[p]);
      high = std::max(high, y[p]);
    }
    for (const std::uint64_t p : runs[0]) {
      if (!in(p)) continue;
      drawn_low = std::min(drawn_low, y[p]);
      drawn_high = std::max(drawn_high, y[p]);
    }
    CAPTURE(c);
    CHECK(low == drawn_low);
    CHECK(high == drawn_high);
  }
}

TEST_CASE("Curve: a line ends at a NaN and begins anew behind it; what is no number is marked") {
  const CurveExhibit curve = made({0, 1, 2, 3, 4, 5}, {1, kNaN, 3, 4, kInf, -kInf});
  const auto runs = runs_of(curve, 0, 100);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0] == std::vector<std::uint64_t>{0});
  CHECK(runs[1] == std::vector<std::uint64_t>{2, 3});
  const auto marks = marks_of(curve, 0, 100);
  REQUIRE(marks.size() == 3);
  CHECK(marks[0].kind == CurveMark::Kind::nan);
  CHECK(marks[1].kind == CurveMark::Kind::above);
  CHECK(marks[2].kind == CurveMark::Kind::below);
  CHECK(said(curve) ==
        "curve.values(count=6, variable=x); curve.range(name=f, low=1, variable=x, least=0, "
        "high=4, greatest=3); curve.not-finite(name=f, nans=1, infinities=2, variable=x, first=1, "
        "value=nan)");
  const std::string text = to_text(exhibit(curve), english(), 100);
  CHECK(holds(text, "^ infinite, v minus infinite, ? NaN"));
  const std::string html = drawn(curve, english());
  CHECK(holds(html, ">NaN</text>"));
  CHECK(holds(html, ">+∞</text>"));
  CHECK(holds(html, "<td class=\"wb-wrong\">nan</td>"));
}

TEST_CASE(
    "Curve: the chosen point is said with value and slope, and its tangent stays in the picture") {
  const CurveExhibit curve = made({-1, 0, 1}, {-8, 0, 8}, {24, 0.5f, 24}, 1);
  CHECK(holds(said(curve), "curve.chosen-slope(variable=x, x=0, name=f, value=0, slope=0.5)"));
  const CurveBounds bounds = bounds_of(curve);
  for (std::uint64_t p = 0; p < 3; ++p) {
    const auto tangent = tangent_at(curve, p);
    REQUIRE(tangent);
    const auto [from, to] = clipped_to(*tangent, bounds);
    CAPTURE(p);
    CHECK(from.first >= bounds.left);
    CHECK(to.first <= bounds.right);
    CHECK(from.second >= bounds.low);
    CHECK(to.second <= bounds.high);
    if (to.first > from.first)
      CHECK((to.second - from.second) / (to.first - from.first) == Catch::Approx(tangent->slope));
  }
  CHECK(item_of(picture(curve), {"tangent"}));
  CHECK_FALSE(item_of(picture(made({0, 1}, {0, kNaN}, {1, 1}, 1)), {"tangent"}));
  CHECK(holds(to_text(exhibit(curve), english(), 100), "@ x = 0"));
}

TEST_CASE("Curve: nothing, one point, one value and no finite value are said, never a crash") {
  const auto strings = sample::strings(GENERATE(as<std::string>{}, "en", "zh"));
  CHECK(said(CurveExhibit{}) == "curve.nothing");
  CHECK_FALSE(holds(drawn(CurveExhibit{}, *strings), "<svg"));
  CHECK(said(made({}, {})) == "curve.nothing");

  const CurveExhibit one = made({3}, {7}, {2}, 0);
  CHECK(said(one) ==
        "curve.values(count=1, variable=x); curve.same(name=f, value=7); curve.same(name=f', "
        "value=2); curve.chosen-slope(variable=x, x=3, name=f, value=7, slope=2)");
  CHECK(holds(drawn(one, *strings), "<circle"));

  const CurveExhibit flat = made({1, 2, 3}, {5, 5, 5});
  CHECK(said(flat) == "curve.values(count=3, variable=x); curve.same(name=f, value=5)");
  CHECK(holds(drawn(flat, *strings), "<polyline"));

  const CurveExhibit none = made({1, 2}, {kNaN, kNaN}, {kInf, kNaN}, 1);
  CHECK(holds(said(none), "curve.nothing-finite(name=f)"));
  CHECK_FALSE(bounds_of(none).any);
  drawn(none, *strings);
  drawn(made({kNaN, kInf}, {1, 2}, {}, 0), *strings);
}

TEST_CASE("Curve: numbers as large as there are do not overflow the picture") {
  constexpr double kMost = std::numeric_limits<double>::max();
  const CurveExhibit curve =
      curve_of({}, tensor<double>("x", {-kMost, 0, kMost}),
               {{Message::plain("f"), tensor<double>("y", {-kMost, 0, kMost}), {}, 0, 0}}, 1);
  CHECK(share_of(0, -kMost, kMost) == 0.5);
  const std::string html = drawn(curve, english());
  CHECK_FALSE(holds(html, "nan"));
  CHECK_FALSE(holds(html, "inf"));
  CHECK(nearest_point(curve, 1) == 1);
}

TEST_CASE("Curve: a table has a few rows, among them the chosen, the outer and the first gap's") {
  std::vector<float> x, y;
  for (int i = 0; i < 1000; ++i) {
    x.push_back(static_cast<float>(i));
    y.push_back(i == 777 ? kNaN : 1);
  }
  x.push_back(kInf);
  y.push_back(2);
  const CurveExhibit curve = made(x, y, {}, 333);
  const std::vector<std::uint64_t> rows = rows_of(curve, 12);
  CHECK(rows.size() <= 12);
  CHECK(rows.size() >= 10);
  for (const std::uint64_t wanted : {0ull, 333ull, 777ull, 999ull, 1000ull})
    CHECK(std::ranges::find(rows, wanted) != rows.end());
  CHECK(rows_of(made({1, 2, 3}, {1, 2, 3}), 12) == std::vector<std::uint64_t>{0, 1, 2});
}

TEST_CASE("Curve: ticks are round and lie within") {
  const auto [low, high] = GENERATE(table<double, double>(
      {{0, 1}, {-1, 1}, {-0.17, 6}, {1e-7, 3e-7}, {-3e38, 3e38}, {999, 1001}}));
  CAPTURE(low, high);
  const std::vector<double> ticks = ticks_of(low, high);
  CHECK(ticks.size() >= 3);
  CHECK(ticks.size() <= 12);
  for (const double tick : ticks) {
    CHECK(tick >= low - (high - low) * 1e-6);
    CHECK(tick <= high + (high - low) * 1e-6);
  }
}

TEST_CASE("Curve: a damaged form is refused") {
  const CurveExhibit curve = sample::curve();
  Report report;
  report.exhibits = {exhibit(curve)};
  CHECK(report_from_binary(to_binary(report)));
  const auto refused = [&](const auto& damage) {
    CurveExhibit damaged = curve;
    damage(damaged);
    report.exhibits = {exhibit(damaged)};
    CHECK_FALSE(report_from_binary(to_binary(report)));
  };
  refused([](CurveExhibit& c) { c.element.pop_back(); });
  refused([](CurveExhibit& c) { c.chosen = 8; });
  refused([](CurveExhibit& c) { c.series[0].slope = 3; });
  refused([](CurveExhibit& c) { c.series[1].values.shape = {6}; });
  refused([](CurveExhibit& c) { c.series[1].values = tensor<float>("y", {1}); });
  refused([](CurveExhibit& c) {
    c.x = tensor("x", std::vector<float>(kMostCurvePoints + 1));
    c.element.resize(kMostCurvePoints + 1);
    for (auto& series : c.series) series.values = c.x;
  });
}

}  // namespace warpbook::lab::curve_exhibit_test
