// The chapter Convolution, fast, without a window: every algorithm and both gradients against plain loops, the questions'
// answers by plain counting, and what libraries are asked.
#include <algorithm>
#include <string>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
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
  for (const char* id : {"check", "rungs-check", "gradients-check"}) {
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
  CHECK(answer(report, "reuse") == "43");          // 64 x 128 x 8 / (64 x 8 + 8 x 128)
  CHECK(answer(report, "shared-floats") == "12");  // 4 of the weights and 8 of the matrix
  CHECK(answer(report, "pixel") == "4/6/4");       // weight 40 is the middle one of channel 4
  CHECK(answer(report, "blocks") == "2");          // 64 x 256 outputs, 64 x 128 a block
  CHECK(answer(report, "size-times") == "1");
  CHECK(answer(report, "winograd-saves") == "2.25");
  CHECK(answer(report, "executed-times") == "2");
  CHECK(answer(report, "rewritten") == lab::grouped(4 * (8 * 256 + 64 * 72 + 64 * 256)));
  CHECK(answer(report, "gradient") == "turned");
  CHECK(figure(report, "products") == lab::grouped(64 * 256 * 72));
  CHECK(figure(report, "im2col-workspace") == lab::grouped(4 * 72 * 256));
  CHECK(figure(report, "matrix-times") == "9");
  CHECK(figure(report, "winograd-workspace") == lab::grouped(4 * 16 * (64 * 8 + 8 * 64 + 64 * 64)));
  // Beside the 16 products of 64 x 128 x 8, 14 for each pair of a filter and a channel: 3 columns and 4 rows of two each.
  CHECK(figure(report, "winograd-multiplications") ==
        lab::grouped(16 * 64 * 128 * 8 + 14 * 64 * 8));
  // A row of weights at the border meets one pixel less at each end: (16 x 3 - 2) pixels along a side.
  for (const char* name : {"direct-multiplications", "gradient-data", "gradient-filter"})
    CHECK(figure(report, name) == lab::grouped(64 * 8 * 46 * 46));
  CHECK(figure(report, "direct-instructions") == "24");
  CHECK(figure(report, "implicit-instructions") == "2.2");
  CHECK(answer(run({{"K", Int{1}}, {"pad", Int{0}}}), "matrix-values") == lab::grouped(8 * 256));
  // Floats for each multiply-add that is needed: direct loads two where there is no padding; half of tiled_halo's lanes are
  // idle, so it loads two weights, and of pixels an eighth. Each output's bias is added to that.
  const auto loaded = [&](const char* name) {
    return std::stoll(lessons::text_argument(report, "rungs", std::string(name) + "_loaded"));
  };
  constexpr Int kOutputs = 64 * 256, kProducts = kOutputs * 72;
  CHECK(loaded("direct") == 2 * 64 * 8 * 46 * 46 + kOutputs);
  CHECK(loaded("tiled_halo") == 2 * kProducts + kProducts / 8 + kOutputs);
}

TEST_CASE("Convolution, fast: an element of im2col's matrix is found in either layout") {
  const std::string layout = GENERATE("nchw", "nhwc");
  CHECK(answer(run({{"layout", layout}}), "pixel") == "4/6/4");
  const lab::Report corner =
      run({{"layout", layout}, {"channels", Int{1}}, {"side", Int{3}}, {"filters", Int{1}}});
  CHECK(exhibit<lab::TextExhibit>(corner, "lookup").text.key ==
        "convolution-algorithms.lookup.padding");  // row 8, column 8
}

TEST_CASE(
    "Convolution, fast: the text's comparisons of estimates hold, and their bands are apart") {
  const auto time = [](const lab::Report& report, const std::string& algorithm) {
    const auto& rows = exhibit<lab::AlgorithmsExhibit>(report, "algorithms").groups.front().rows;
    const auto row = std::ranges::find(rows, algorithm, &lab::AlgorithmsExhibit::Row::name);
    REQUIRE(row != rows.end());
    REQUIRE(row->time);
    return *row->time;
  };
  const auto instructions = [](const lab::Report& report) {
    return std::stod(lessons::text_argument(report, "rungs", "direct_instructions"));
  };
  const lab::Report small = run({}), last = run({{"layout", std::string("nhwc")}});
  CHECK(time(small, "direct").high < time(small, "implicit_gemm").low);
  CHECK(time(small, "winograd").seconds < time(small, "direct").seconds);
  CHECK(time(small, "winograd").high > time(small, "direct").low);
  CHECK(time(last, "direct").high < time(small, "direct").low);
  CHECK(2 * time(last, "direct").seconds < time(small, "direct").seconds);
  CHECK(2 * instructions(last) < instructions(small));

  const auto large = [&](const std::string& layout) {
    return time(run({{"side", Int{64}}, {"layout", layout}}), "direct");
  };
  const auto first = large("nchw"), nhwc = large("nhwc");
  CHECK(first.high < nhwc.low);
  CHECK(3 * first.seconds < nhwc.seconds);

  const auto of_size = [&](const std::string& name) {
    return std::stod(lessons::text_argument(small, "sizes", name));
  };
  const double apart = of_size("apart");
  CHECK(of_size("implicit_gemm_1") > apart * of_size("direct_1"));
  CHECK(of_size("direct_8") > apart * of_size("implicit_gemm_8"));
  for (const char* size : {"_1", "_4", "_8"}) {
    const std::string at = size;
    CHECK(of_size("winograd" + at) < of_size("direct" + at));
    CHECK(of_size("winograd" + at) < of_size("implicit_gemm" + at));
    // Lowest, but never apart from the second.
    CHECK(apart * of_size("winograd" + at) >
          std::min(of_size("direct" + at), of_size("implicit_gemm" + at)));
  }
  CHECK(of_size("implicit_gemm_8") == Catch::Approx(of_size("implicit_gemm_1")).epsilon(0.2));
  // The table of both layouts: NHWC's lookups in L1 are nearly all of its time on the larger image.
  CHECK(std::stod(figure(small, "nhwc-time")) == Catch::Approx(1e6 * nhwc.seconds).epsilon(0.01));
  CHECK(std::stod(figure(small, "nhwc-l1")) > 0.9 * std::stod(figure(small, "nhwc-time")));
}

TEST_CASE(
    "Convolution, fast: the page's own kernel is checked, so one that turns its filter fails") {
  const lab::Report report = run({}, tests::chapter::variant("convolution", "flipped"));
  CHECK_FALSE(exhibit<lab::CheckExhibit>(report, "check").passed());
  CHECK(answer(report, "gradient") == "turned");
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
