// The chapter Convolution, fast, without a window: every algorithm and both gradients against plain loops, the questions'
// answers by plain counting, and what libraries are asked.
#include <algorithm>
#include <string>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::convolution_algorithms_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using Int = std::int64_t;

lab::Report run(const Values& values, const std::string& source = {}) {
  return tests::chapter::run("convolution-algorithms", values,
                             {"convolve", source, "h200", {}, {}});
}

Values chosen(const std::string& algorithm) { return {{"algorithm", algorithm}}; }

void check_clean(const lab::Report& report) {
  CHECK(report.errors.empty());
  for (const char* id : {"rungs-check", "gradients-check"}) {
    if (const auto* check = report.find_as<lab::CheckExhibit>(id)) CHECK(check->passed());
  }
}

struct Case {
  Int side, K, stride, pad, dilation, channels, filters;
  const char* layout = "nchw";
};

}  // namespace

TEST_CASE("Convolution, fast: every algorithm and both gradients are right at every size") {
  const Case c = GENERATE(
      Case{16, 3, 1, 1, 1, 8, 64}, Case{12, 3, 1, 1, 1, 3, 8, "nhwc"}, Case{9, 3, 2, 1, 1, 2, 3},
      Case{9, 3, 2, 1, 1, 2, 3, "nhwc"}, Case{11, 5, 1, 2, 1, 1, 2}, Case{13, 3, 1, 2, 2, 4, 1},
      Case{13, 3, 3, 0, 3, 4, 5, "nhwc"}, Case{7, 7, 1, 0, 1, 2, 2}, Case{1, 1, 1, 0, 1, 1, 1},
      Case{2, 7, 1, 4, 1, 1, 1}, Case{8, 2, 4, 4, 1, 3, 2, "nhwc"}, Case{31, 1, 1, 0, 1, 5, 2});
  CAPTURE(c.side, c.K, c.stride, c.pad, c.dilation, c.channels, c.filters, c.layout);
  const lab::Report report = run({{"side", c.side},
                                  {"K", c.K},
                                  {"stride", c.stride},
                                  {"pad", c.pad},
                                  {"dilation", c.dilation},
                                  {"channels", c.channels},
                                  {"filters", c.filters},
                                  {"layout", std::string(c.layout)}});
  check_clean(report);
  REQUIRE(report.find("rungs-check"));
  REQUIRE(report.find("gradients-check"));
  CHECK(answer(report, "gradient") != "neither");
}

TEST_CASE("Convolution, fast: where the filter does not fit there is no output, and it is said") {
  const lab::Report report = run({{"side", Int{4}}, {"K", Int{7}}});
  CHECK(report.errors.empty());
  CHECK(exhibit<lab::TextExhibit>(report, "layer").text.key ==
        "convolution-algorithms.layer.nothing");
  CHECK(report.find("rungs") == nullptr);
  CHECK(answer(report, "reuse").empty());
  CHECK(answer(report, "gradient").empty());
}

TEST_CASE("Convolution, fast: presets run clean", "[ci]") {
  for (const lab::Preset& preset : lessons::find("convolution-algorithms")->presets) {
    CAPTURE(preset.name);
    Values values = values_of(preset);
    if (preset.name == "conv2d-64") values.emplace_back("algorithm", std::string("implicit_gemm"));
    check_clean(run(values));
  }
}

TEST_CASE("Convolution, fast: each algorithm is a dot of the roofline, with the table's time") {
  const lab::Report report = run(chosen("winograd"));
  const auto& roofline = exhibit<lab::RooflineExhibit>(report, "roofline");
  const auto& rows = exhibit<lab::AlgorithmsExhibit>(report, "algorithms").groups.front().rows;
  REQUIRE(roofline.points.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(roofline.points[i].name.text == rows[i].name);
    REQUIRE(rows[i].time);
    CHECK(roofline.points[i].seconds == Catch::Approx(rows[i].time->seconds));
    CHECK(roofline.points[i].operations > 0);
  }
  CHECK(roofline.points[roofline.chosen].name.text == "winograd");
}

TEST_CASE("Convolution, fast: the questions have the answers that plain counting gives") {
  const lab::Report report = run({});
  CHECK(answer(report, "reuse") == "43");  // 64 x 128 x 8 / (64 x 8 + 8 x 128)
  CHECK(answer(report, "im2col-workspace") == lab::grouped(4 * 72 * 256));
  CHECK(answer(report, "matrix-times") == "9");
  CHECK(answer(report, "tile-products") == "16");
  CHECK(answer(report, "executed-times") == "2");
  CHECK(answer(report, "winograd-workspace") == lab::grouped(4 * 16 * (64 * 8 + 8 * 64 + 64 * 64)));
  CHECK(answer(report, "gradient") == "turned");
  CHECK(answer(report, "training-times") == "3");
  CHECK(figure(report, "products") == lab::grouped(64 * 256 * 72));
  CHECK(figure(report, "formula-winograd") == lab::grouped(16 * 64 * 8 * 64));
  // Fourier: 2 N^2 ((c + f + c f) log2 N + c f) multiplications, where N = 32 holds image and reach.
  CHECK(figure(report, "formula-fourier") == lab::grouped(2 * 1024 * ((8 + 64 + 512) * 5 + 512)));
  // A row of weights at the border meets one pixel less at each end: (16 x 3 - 2) pixels along a side.
  CHECK(figure(report, "direct-multiplications") == lab::grouped(64 * 8 * 46 * 46));
  CHECK(answer(run({{"K", Int{1}}, {"pad", Int{0}}}), "matrix-times") == "1");
}

TEST_CASE("Convolution, fast: a kernel that turns its filter wants it straight on the way back") {
  const lab::Report report = run({}, tests::chapter::variant("convolution", "flipped"));
  CHECK(answer(report, "gradient") == "straight");
}

TEST_CASE("Convolution, fast: an algorithm without this layout or for other sizes is said") {
  const auto said = [](const lab::Report& report) {
    const auto* text = report.find_as<lab::TextExhibit>("rung");
    REQUIRE(text);
    return text->text.key;
  };
  CHECK(said(run(chosen("warp_sum"))) == "convolution-algorithms.rung.refused");
  CHECK(said(run({{"algorithm", std::string("winograd")}, {"stride", Int{2}}})) ==
        "convolution-algorithms.rung.refused");
  CHECK(said(run({{"algorithm", std::string("warp_sum")}, {"layout", std::string("nhwc")}})) ==
        "convolution-algorithms.rung.sentence");
}

TEST_CASE(
    "Convolution, fast: own kernels have their workspaces; libraries are asked where that is "
    "wanted") {
  const lab::Report alone = run({});
  const auto* own = alone.find_as<lab::AlgorithmsExhibit>("algorithms");
  REQUIRE(own);
  REQUIRE(own->groups.size() == 1);
  REQUIRE(own->groups[0].rows.size() == 6);
  CHECK(own->groups[0].rows[0].workspace == 0);
  CHECK(own->groups[0].rows[3].workspace == 4 * 72 * 256);                          // im2col
  CHECK(own->groups[0].rows[5].workspace == 4 * 16 * (64 * 8 + 8 * 64 + 64 * 64));  // Winograd
  const std::string layout = GENERATE("nchw", "nhwc");
  const lab::Report asked = run({{"libraries", true},
                                 {"layout", layout},
                                 {"side", Int{9}},
                                 {"channels", Int{3}},
                                 {"filters", Int{8}},
                                 {"stride", Int{2}}});
  CHECK(asked.errors.empty());  // a library that is missing is no failure of the run
  const auto* all = asked.find_as<lab::AlgorithmsExhibit>("algorithms");
  REQUIRE(all);
  REQUIRE(all->groups.size() == 3);
  for (const auto& group : all->groups) {
    CHECK((group.error || !group.rows.empty()));
    for (const auto& row : group.rows) CHECK(row.off.value_or(0) < 1e-3);
  }
}

}  // namespace warpbook::convolution_algorithms_test
