// Rooflines: points and roofs held against plain arithmetic; what the renderers say of none, one, many and broken runs.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "device/gpu_table.hpp"
#include "lab/exhibits/roofline/roofline_of.hpp"
#include "lab/exhibits/roofline/roofline_picture.hpp"
#include "lab/markup/axis.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "lab/report/binary.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::roofline_exhibit_test {
namespace {

using Catch::Approx;
using sample::english;
using sample::exhibit;
using tests::count_of;
using tests::holds;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string said(const RooflineExhibit& roofline) {
  return sentence(exhibit(roofline), sample::keys());
}

/// All renderers; gives back the HTML.
Drawing picture(const RooflineExhibit& roofline, const Strings& strings) {
  const Canvas canvas = svg_canvas(768, strings);
  return drawing_of(roofline, RooflinePlane(roofline, nullptr, canvas), roofline.chosen, canvas);
}
std::string drawn(const RooflineExhibit& roofline, const Strings& strings) {
  for (const int width : {24, 80, 200})
    CHECK_FALSE(to_text(exhibit(roofline), strings, width).empty());
  CHECK(to_json(exhibit(roofline), english())["kind"] == "roofline");
  CHECK(table_of(exhibit(roofline), strings).rows.size() == roofline.points.size());
  return to_html(exhibit(roofline), strings);
}

device::LaunchRecord launch(double operations, double dram_bytes, double seconds,
                            const std::string& busiest) {
  device::LaunchRecord record;
  device::Estimate e;
  e.operations = operations;
  e.dram_bytes = dram_bytes;
  e.l2_bytes = 2 * dram_bytes;
  e.seconds = seconds;
  e.low = seconds / 2;
  e.high = seconds * 2;
  e.bounds = {{"dram", seconds}, {busiest, seconds / 3}, {"fp32", seconds / 100}};
  e.limiter = "dram";
  record.estimate = e;
  return record;
}
RooflineRun run_of(const std::string& name, std::vector<device::LaunchRecord> records) {
  RooflineRun run{Message::plain(name), {}};
  for (device::LaunchRecord& record : records)
    run.records.push_back(std::make_shared<const device::LaunchRecord>(std::move(record)));
  return run;
}

}  // namespace

TEST_CASE("Roofline: the roofs are the GPU table's, and only those of the pipes that runs use") {
  const device::Properties& gpu = *device::find_gpu("H200");
  const std::vector<RooflineRun> runs{run_of("a", {launch(1e6, 1e6, 1e-5, "fp32")}),
                                      run_of("b", {launch(1e6, 1e6, 1e-5, "fp64")}),
                                      run_of("c", {launch(1e6, 1e6, 1e-5, "fp32")})};
  const auto made = roofline_of(gpu, runs, 2);
  REQUIRE(made);
  CHECK(made->gpu == gpu.name);
  CHECK(made->chosen == 2);
  REQUIRE(made->ceilings.size() == 2);
  const double clocks = gpu.multiprocessors * gpu.clock_khz * 1e3;
  CHECK(made->ceilings[0].part == "fp32");
  CHECK(made->ceilings[0].rate == Approx(2 * 128 * clocks));
  CHECK(made->ceilings[1].part == "fp64");
  CHECK(made->ceilings[1].rate == Approx(2 * 64 * clocks));
  CHECK(made->points[1].ceiling == 1);
  CHECK(made->points[2].ceiling == 0);
  CHECK(memory_rate(*made) == Approx(device::memory_rate(gpu)));
  CHECK(made->memories[1].rate == Approx(device::rates_of(gpu).l2_bytes * gpu.clock_khz * 1e3));
}

TEST_CASE("Roofline: launches of one run add up; a run without an estimate makes no point") {
  const device::Properties& gpu = *device::find_gpu("H200");
  const std::vector<RooflineRun> runs{
      run_of("none", {device::LaunchRecord{}}),
      run_of("two", {launch(1e6, 2e6, 1e-5, "fp32"), launch(3e6, 2e6, 3e-5, "fp32")}),
      run_of("half", {launch(1e6, 2e6, 1e-5, "fp32"), device::LaunchRecord{}}), run_of("", {})};
  const auto made = roofline_of(gpu, runs, 1);
  REQUIRE(made);
  REQUIRE(made->points.size() == 1);
  CHECK(made->chosen == 0);
  CHECK(intensity_of(*made, made->points[0]) == Approx(1));
  CHECK(rate_of(made->points[0]) == Approx(1e11));
  CHECK(made->points[0].low == Approx(2e-5));
  CHECK_FALSE(roofline_of(gpu, std::span(runs).first(1), 0));
  CHECK_FALSE(roofline_of(gpu, {}, 0));
}

TEST_CASE("Roofline: tensor cores are the ceiling of what runs on them, by the operands' type") {
  const device::Properties& gpu = *device::find_gpu("H200");
  device::LaunchRecord half = launch(1e9, 1e6, 1e-5, "fp32");
  half.total.tensor_operations = 10;
  half.instructions = {{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 1, {}, {}, {}, {}}};
  half.instructions[0].counters.tensor_operations = 10;
  device::LaunchRecord single = half;
  single.instructions[0].text = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
  const std::vector<RooflineRun> runs{run_of("half", {half}), run_of("single", {single})};
  const auto made = roofline_of(gpu, runs, 0);
  REQUIRE(made);
  REQUIRE(made->ceilings.size() == 2);
  CHECK(made->ceilings[0].part == "tensor-half");
  CHECK(made->ceilings[1].part == "tensor-single");
  CHECK(made->ceilings[0].rate == Approx(2 * made->ceilings[1].rate));
}

TEST_CASE("Roofline: a point's roof is DRAM's slope before the ridge, its ceiling behind it") {
  const RooflineExhibit made = sample::roofline();
  CHECK(ridge_of(made, 1) == Approx(15));   // 6e13 / 4e12
  CHECK(ridge_of(made, 0) == Approx(200));  // 8e14 / 4e12
  CHECK(roof_over(made, made.points[0]) == Approx(2.5e11));
  CHECK(is_below_slope(made, made.points[0]));
  CHECK(share_of_roof(made, made.points[0]) == Approx(0.4));
  CHECK(roof_over(made, made.points[1]) == Approx(6e13));
  CHECK_FALSE(is_below_slope(made, made.points[1]));
  CHECK(share_of_roof(made, made.points[2]) == Approx(0.5));
  CHECK(missing_of(made, made.points[3]) == Missing::operations);
}

TEST_CASE("Roofline: with L2 on the axis, bytes, slope and roof are L2's, and DRAM has no slope") {
  const device::Properties& gpu = *device::find_gpu("H200");
  const std::vector<RooflineRun> runs{run_of("a", {launch(1e6, 1e6, 1e-5, "fp32")})};
  const auto made = roofline_of(gpu, runs, 0, "l2");
  REQUIRE(made);
  CHECK(valid(*made));
  CHECK(intensity_of(*made, made->points[0]) == Approx(0.5));  // L2 moved twice as much
  CHECK(roof_over(*made, made->points[0]) == Approx(0.5 * made->memories[1].rate));
  for (const RoofLine& line : roof_lines(*made, bounds_of(*made))) CHECK(line.part != "dram");
  CHECK(count_of(picture(*made, english()), "ring") == 0);
  CHECK(holds(said(*made), "memory=roofline.part.l2"));
}

TEST_CASE("Roofline: its caption says in two sentences what the chosen run reaches of its roof") {
  CHECK(said(sample::roofline()) ==
        "roofline.below-ceiling(name=B tiled, intensity=80, roof=60 TFLOP/s, "
        "part=roofline.part.fp32, rate=40 TFLOP/s, share=66.7)");
  const std::string english_text = sentence_of(sample::roofline(), english());
  CHECK(std::ranges::count(english_text, '.') == 3);  // one of them in 66.7
}

TEST_CASE("Roofline: terminal and page say where the roofs come from, below the table of runs") {
  const std::string roofs = roofs_text(sample::roofline(), sample::keys());
  CHECK(roofs ==
        "roofline.roofs(gpu=H200, roofs=roofline.part.dram 4 TB/s; roofline.part.l2 6 TB/s; "
        "roofline.ceiling(part=roofline.part.fp32, rate=60 TFLOP/s, ridge=15); "
        "roofline.ceiling(part=roofline.part.tensor-half, rate=800 TFLOP/s, ridge=200))");
  CHECK(holds(to_text(exhibit(sample::roofline()), sample::keys(), 4000), roofs));
  CHECK(holds(drawn(sample::roofline(), sample::keys()), escaped(roofs)));
}

TEST_CASE("Roofline: every renderer shows each run with its sign and its figures") {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = sample::strings(language);
    const RooflineExhibit made = sample::roofline();
    const std::string html = drawn(made, *strings);
    const Drawing drawing = picture(made, *strings);
    CHECK(count_of(drawing, "run") == 3);
    CHECK(count_of(drawing, "sign") == 3);
    CHECK(count_of(drawing, "ring") == 1);  // of the chosen run, by the bytes of L2
    CHECK(holds(html, "<svg"));
    CHECK(count_of(html, "<tr") == 5);
    CHECK(holds(html, "<td>66.7 %</td>"));
    const std::string text = to_text(exhibit(made), *strings, 100);
    CHECK(holds(text, "66.7 %"));
    const std::size_t plot = text.find(" |");
    REQUIRE(plot != std::string::npos);
    for (const char sign : {'A', 'B', 'C', '/', '='})
      CHECK(text.find(sign, plot) < text.find(" +--", plot));
  }
  const auto json = to_json(exhibit(sample::roofline()), english())["value"];
  CHECK(json["points"][0]["intensity"] == 0.0625);
  CHECK(json["points"][3]["intensity"].is_null());
  CHECK(json["ceilings"][1]["part"] == "fp32");
}

TEST_CASE("Roofline: a page draws two runs beside each other on the same axes") {
  const RooflineExhibit one = sample::roofline();
  RooflineExhibit other = one;
  for (RooflineExhibit::Point& point : other.points) point.operations *= 1e-4;
  const Exhibit a = exhibit(one), b = exhibit(other);
  const auto picture_in = [](const std::string& html) {
    return html.substr(html.find("<svg"), html.find("</svg>") - html.find("<svg"));
  };
  const std::string alone = picture_in(to_html(a, english()));
  CHECK(picture_in(to_html(a, &b, english())) != alone);
  CHECK(picture_in(to_html(a, &a, english())) == alone);
}

TEST_CASE("Roofline: the roofs meet where they should, and stay in the picture") {
  const RooflineExhibit made = sample::roofline();
  const RooflineBounds bounds = bounds_of(made);
  REQUIRE(bounds.any);
  const auto lines = roof_lines(made, bounds);
  for (const RoofLine& line : lines) {
    CHECK(line.x1 < line.x2);
    CHECK(line.x1 >= bounds.left * 0.999);
    CHECK(line.x2 <= bounds.right * 1.001);
    CHECK(std::min(line.y1, line.y2) >= bounds.low * 0.999);
    CHECK(std::max(line.y1, line.y2) <= bounds.high * 1.001);
    if (line.memory)
      CHECK(line.y2 / line.x2 == Approx(line.y1 / line.x1));
    else
      CHECK(line.y1 == line.y2);
  }
  CHECK(std::ranges::count_if(lines, [](const RoofLine& line) { return line.main; }) == 2);
  for (const RooflineExhibit::Point& point : made.points) {
    if (!is_drawn(made, point)) continue;
    CHECK(log_share(intensity_of(made, point), bounds.left, bounds.right) > 0);
    CHECK(log_share(intensity_of(made, point), bounds.left, bounds.right) < 1);
    CHECK(log_share(rate_of(point), bounds.low, bounds.high) > 0);
    CHECK(log_share(rate_of(point), bounds.low, bounds.high) < 1);
  }
}

TEST_CASE("Roofline: what has no place is said, not drawn") {
  const auto [operations, bytes, seconds, why] = GENERATE(
      table<double, double, double, const char*>({{0, 1e6, 1e-5, "roofline.no-operations("},
                                                  {-1, 1e6, 1e-5, "roofline.no-operations("},
                                                  {kNaN, 1e6, 1e-5, "roofline.no-operations("},
                                                  {1e6, 0, 1e-5, "roofline.no-bytes("},
                                                  {1e6, kInf, 1e-5, "roofline.no-bytes("},
                                                  {1e300, 1e-300, 1e-5, "roofline.no-bytes("},
                                                  {1e6, 1e6, 0, "roofline.no-time("},
                                                  {1e6, 1e6, kNaN, "roofline.no-time("},
                                                  {1e6, 1e6, -1, "roofline.no-time("},
                                                  {1e300, 1e300, 1e-300, "roofline.no-time("}}));
  CAPTURE(operations, bytes, seconds);
  RooflineExhibit made = sample::roofline();
  made.points = {{Message::plain("odd"), operations, bytes, bytes, seconds, kNaN, kInf, 1, "?"}};
  made.chosen = 0;
  CHECK_FALSE(bounds_of(made).any);
  CHECK(holds(said(made), why));
  const std::string html = drawn(made, english());
  CHECK_FALSE(holds(html, "<svg"));
  CHECK(holds(html, "–"));
  made.points.push_back(sample::roofline().points[1]);
  const Drawing placed = picture(made, english());
  CHECK(count_of(placed, "run") == 1);
  CHECK(count_of(placed, "sign") == 1);
}

TEST_CASE("Roofline: no run and no roof are said; a roof that is no number is not drawn") {
  CHECK(said(RooflineExhibit{}) == "roofline.nothing");
  CHECK_FALSE(holds(drawn(RooflineExhibit{}, english()), "<svg"));
  RooflineExhibit roofless = sample::roofline();
  roofless.ceilings.clear();
  for (auto& point : roofless.points) point.ceiling = 0;
  CHECK(said(roofless) == "roofline.no-roof");
  CHECK_FALSE(holds(drawn(roofless, english()), "<svg"));
  for (const double rate : {0.0, -1.0, kNaN, kInf}) {
    RooflineExhibit odd = sample::roofline();
    odd.ceilings[0].rate = rate;
    CHECK(holds(drawn(odd, english()), "<svg"));
    CHECK_FALSE(holds(drawn(odd, english()), "nan"));
    odd.memories[0].rate = rate;
    CHECK_FALSE(holds(drawn(odd, english()), "<svg"));
  }
}

TEST_CASE("Roofline: thousands of runs, and figures as large and as small as there are") {
  RooflineExhibit many = sample::roofline();
  many.points.clear();
  for (int i = 0; i < 5'000; ++i) {
    const double scale = std::pow(10.0, i % 40 - 20);
    many.points.push_back(
        {Message::plain("run"), 1e6 * scale, 1e6, 1e6, 1e-5, 9e-6, 2e-5, 0, "dram"});
  }
  const std::string html = drawn(many, english());
  CHECK(count_of(html, "<tr") == 25);
  CHECK(holds(html, english()("roofline.more", {{"count", "4,976"}})));
  CHECK(to_text(exhibit(many), english(), 100).size() < 20'000);
  RooflineExhibit extreme = sample::roofline();
  extreme.points = {{Message::plain("tiny"), 1e-300, 1e-10, 0, 1, 0, 0, 0, ""},
                    {Message::plain("huge"), 1e300, 1e10, kNaN, 1, 0, 0, 0, ""}};
  const std::string both = drawn(extreme, english());
  CHECK_FALSE(holds(both, "nan"));
  CHECK_FALSE(holds(both, "inf"));
}

TEST_CASE("Roofline: a damaged form is refused") {
  Report report;
  report.exhibits = {exhibit(sample::roofline())};
  REQUIRE(report_from_binary(to_binary(report)));
  const auto refused = [&](const auto& damage) {
    RooflineExhibit damaged = sample::roofline();
    damage(damaged);
    report.exhibits = {exhibit(damaged)};
    CHECK_FALSE(report_from_binary(to_binary(report)));
  };
  refused([](RooflineExhibit& r) { r.chosen = 4; });
  refused([](RooflineExhibit& r) { r.points[2].ceiling = 2; });
  refused([](RooflineExhibit& r) { r.ceilings.pop_back(); });
}

}  // namespace warpbook::lab::roofline_exhibit_test
