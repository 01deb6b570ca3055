// The chapter of the reader's own kernel: its place among ours, its launch lines, and the training that it has to leave as it was.
#include <algorithm>
#include <array>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/platform.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/pareto/pareto_summary.hpp"
#include "lessons/capstone/runs.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::capstone_test {
namespace {

using Chart = lab::ParetoExhibit;
using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;

const std::string kSlot = "layer";

lab::Report run_source(const std::string& source, const Values& values = {}) {
  tests::chapter::Circumstances with;
  with.slot = kSlot;
  with.source = source;
  return tests::chapter::run("capstone", values, with);
}
lab::Report run_variant(const std::string& name, const Values& values = {}) {
  return run_source(tests::chapter::variant("capstone", name), values);
}

/// The default run, once for all tests that read it.
const lab::Report& usual() {
  static const lab::Report report = tests::chapter::run("capstone", {});
  return report;
}

const Chart& chart(const lab::Report& report) { return exhibit<Chart>(report, "pareto"); }

const Chart::Point& point_of(const Chart& chart, const std::string& name) {
  const auto& points = chart.points;
  const auto found =
      std::ranges::find_if(points, [&](const Chart::Point& one) { return one.name.text == name; });
  REQUIRE(found != points.end());
  return *found;
}
const Chart::Point& point(const lab::Report& report, const std::string& name) {
  return point_of(chart(report), name);
}

bool overlap(const Chart::Point& a, const Chart::Point& b) {
  return a.low <= b.high && b.low <= a.high;
}

/// `source` with `from` replaced by `to`.
std::string changed(std::string source, const std::string& from, const std::string& to) {
  const std::size_t at = source.find(from);
  REQUIRE(at != source.npos);
  return source.replace(at, from.size(), to);
}
std::string original() { return tests::chapter::variant("capstone", "layer"); }

std::string check_state(const lab::Report& report, std::size_t item) {
  return std::string(name_of(exhibit<lab::CheckExhibit>(report, "check").items.at(item).state));
}

}  // namespace

TEST_CASE("Capstone: the original is right, does what direct does, and trains bit by bit as ours") {
  const lab::Report& report = usual();
  CHECK(report.errors.empty());
  CHECK(exhibit<lab::CheckExhibit>(report, "check").passed());
  const auto yours = lab::yours_of(chart(report));
  REQUIRE(yours);
  CHECK(chart(report).points[*yours].sectors == point(report, "direct").sectors);
  CHECK(answer(report, "trained") == "falls-equal");
}

TEST_CASE("Capstone: at ten images two of our kernels are on the frontier") {
  CHECK(answer(usual(), "frontier-size") == "2");
  CHECK(lab::is_on_frontier(chart(usual()), 1));  // constant_filter
  CHECK(lab::is_on_frontier(chart(usual()), 4));  // winograd
  CHECK(answer(usual(), "bands") == "open");
  // So even this frontier is one of the estimates' middles, as the chapter says.
  CHECK(overlap(point(usual(), "winograd"), point(usual(), "constant_filter")));
}

TEST_CASE("Capstone: a kernel of ours needs as much memory as its arrays and workspaces have") {
  constexpr double kArrays = 4.0 * (10 * 8 * 256 + 16 * 8 * 9 + 16 + 10 * 16 * 256);
  CHECK(point(usual(), "direct").memory == kArrays);
  CHECK(point(usual(), "im2col_gemm").memory == kArrays + 4.0 * 10 * 72 * 256);
}

TEST_CASE("Capstone: two filters per thread move two sectors a product, and take as long") {
  const lab::Report report = run_variant("two_filters");
  CHECK(report.errors.empty());
  CHECK(answer(report, "sectors-each") == "2");
  CHECK(figure(report, "yours-sectors") == "184,480");
  CHECK(answer(report, "time-against-direct") == "same");
  CHECK(figure(report, "yours-time") == "14.7 µs");
  CHECK(answer(report, "trained") == "falls-equal");
}

TEST_CASE("Capstone: an error that hardly changes the losses is found in the outputs") {
  const lab::Report report = run_source(changed(
      original(), "sum + bias[filter];", "sum + bias[filter] + (place == 0 ? 0.001f : 0.0f);"));
  CHECK(check_state(report, 0) == "failed");
  CHECK(answer(report, "trained") == "falls-equal");
  CHECK(figure(report, "difference") == "0.0015");
}

TEST_CASE("Capstone: a hundred images fill the GPU, so that two filters per thread halve the time",
          "[ci]") {
  const lab::Report report = run_variant("two_filters", {{"images", std::int64_t{100}}});
  CHECK(answer(report, "time-against-direct") == "half");
  CHECK(figure(report, "yours-time") == "18.2 µs");
  CHECK(figure(report, "yours-sectors") == "1,844,800");
  CHECK(answer(report, "frontier-names") == "constant_filter implicit_gemm winograd");
}

TEST_CASE(
    "Capstone: a kernel without the last channel has no place, and its loss falls all the same") {
  const lab::Report report = run_variant("last_channel");
  CHECK(check_state(report, 0) == "failed");
  CHECK_FALSE(lab::yours_of(chart(report)));
  CHECK(answer(report, "trained") == "falls-other");
  CHECK(figure(report, "difference") == "19");
}

TEST_CASE("Capstone: another order of adding changes no loss by a thousandth of the bound") {
  const lab::Report report = run_variant("backwards");
  CHECK(answer(report, "trained") == "falls-equal");
  CHECK(figure(report, "difference") == "0.000014");
  CHECK(figure(report, "yours-time") == "11.7 µs");
  CHECK(std::stod(figure(report, "difference")) <= 0.001 * std::stod(figure(report, "bound")));
}

TEST_CASE(
    "Capstone: with 3 for r and s, the kernel with two filters waits less, at the same sectors") {
  const lab::Report report = run_variant("unrolled");
  CHECK(report.errors.empty());
  CHECK(exhibit<lab::CheckExhibit>(report, "check").passed());
  CHECK(figure(report, "yours-sectors") == "184,480");
  CHECK(figure(report, "yours-time") == "9.1 µs");
  CHECK(lab::is_on_frontier(chart(report), *lab::yours_of(chart(report))));
  CHECK(answer(report, "trained") == "falls-equal");
}

TEST_CASE("Capstone: another GPU has another frontier", "[ci]") {
  tests::chapter::Circumstances with;
  with.gpu = "rtx4090";
  const lab::Report ten = tests::chapter::run("capstone", {}, with);
  CHECK(lab::is_on_frontier(chart(ten), *lab::yours_of(chart(ten))));
  const lab::Report hundred =
      tests::chapter::run("capstone", {{"images", std::int64_t{100}}}, with);
  CHECK(answer(hundred, "frontier-names") == "constant_filter implicit_gemm");
}

TEST_CASE("Capstone: at a hundred images the kernel of the exercise is on the frontier", "[ci]") {
  std::string source =
      *device::read_file(WARPBOOK_SOURCE_DIR "/solutions/own-convolution.cu", 1u << 20);
  source +=
      "//@ launch: own_convolution(x, weights, bias, y, n, c, h, k, r, pad, p)\n"
      "//@ block: 16, 16\n"
      "//@ grid: ceil_div(p, 16) * ceil_div(p, 16), ceil_div(k, 4), n\n";
  const lab::Report report = run_source(source, {{"images", std::int64_t{100}}});
  CHECK(report.errors.empty());
  const auto yours = lab::yours_of(chart(report));
  REQUIRE(yours);
  CHECK(lab::is_on_frontier(chart(report), *yours));
  CHECK(figure(report, "yours-time") == "18.8 µs");
  CHECK(figure(report, "yours-sectors") == "220,400");
}

TEST_CASE("Capstone: weights can lie in constant memory, in the layer as in the training") {
  std::string source =
      changed(original(), "//@ block: 256\n", "//@ block: 256\n//@ constant: taps = weights\n");
  source = changed(source, "__global__", "__constant__ float taps[16384];\n\n__global__");
  source = changed(source, "* weights[", "* taps[");
  const lab::Report report = run_source(source);
  CHECK(report.errors.empty());
  CHECK(exhibit<lab::CheckExhibit>(report, "check").passed());
  CHECK(answer(report, "trained") == "falls-equal");
}

TEST_CASE("Capstone: a launch line that is wrong is named with its line in the reader's source") {
  const auto [from, to] = GENERATE(
      table<std::string, std::string>({{"//@ grid: ceil_div(p * q, block), k, n", "//@ grid:"},
                                       {"//@ block: 256", "//@ blocks: 256"}}));
  const lab::Report report = run_source(changed(original(), from, to));
  REQUIRE_FALSE(report.errors.empty());
  CHECK(report.errors.front().code == device::ErrorCode::bad_rung);
  CHECK(report.errors.front().place.file == "layer.cu");
  CHECK(report.errors.front().place.line == (from.find("grid") != from.npos ? 5 : 4));
}

TEST_CASE("Capstone: launch lines may stand anywhere, in any order, with blank lines between") {
  const std::string kernel = "__global__ void convolution(const float* x) {}\n";
  const std::string lines =
      GENERATE("//@ block: 64, 2\n//@ grid: p * q, k, n\n//@ shared: 8 * c\n",
               "//@ shared: 8 * c\n\n//@ grid: p * q, k, n\n\n\n//@ block: 64, 2\n\n",
               "\n\n//@grid:p * q, k, n\r\n//@ block: 64, 2\r\n\r\n// A note.\n//@ shared: 8 * c\n",
               "//@ idea: a kernel of the book\n//@ shared: 8 * c\n//@ block: 64, 2\n"
               "//@ grid: p * q, k, n\n");
  const bool below = GENERATE(false, true);
  CAPTURE(lines, below);
  const lab::Rung rung = lessons::capstone::own_rung(below ? kernel + lines : lines + kernel);
  REQUIRE(rung.launches.size() == 1);
  CHECK(rung.launches.front().block == "64, 2");
  CHECK(rung.launches.front().grid == "p * q, k, n");
  CHECK(rung.launches.front().shared == "8 * c");
}

TEST_CASE("Capstone: the lines of a named launch may stand in any order, too") {
  std::array<std::string, 3> lines{"//@ launch: own(x, weights, bias, y, n)\n",
                                   "//@ block: 16, 16\n", "//@ grid: p, k, n\n"};
  std::ranges::sort(lines);
  do {
    const lab::Rung rung = lessons::capstone::own_rung(lines[0] + "\n" + lines[1] + lines[2]);
    REQUIRE(rung.launches.size() == 1);
    CHECK(rung.launches.front().kernel == "own");
    CHECK(rung.launches.front().block == "16, 16");
    CHECK(rung.launches.front().grid == "p, k, n");
  } while (std::ranges::next_permutation(lines).found);
}

TEST_CASE("Capstone: a kernel that reads outside is not trained with, and the check says so") {
  const lab::Report report =
      run_source(changed(original(), "if (row < 0 || row >= h) continue;", ""));
  CHECK_FALSE(exhibit<lab::CheckExhibit>(report, "check").passed());
  CHECK_FALSE(lab::yours_of(chart(report)));
}

TEST_CASE(
    "Capstone: with memory on the axis, the fastest kernel without a workspace is on the "
    "frontier") {
  const lab::Report report = tests::chapter::run("capstone", {{"measure", std::string("memory")}});
  CHECK(chart(report).measure == Chart::Measure::memory);
  CHECK(lab::is_on_frontier(chart(report), *lab::yours_of(chart(report))));
  CHECK(lab::is_on_frontier(chart(report), 4));        // winograd, the fastest of all
  CHECK_FALSE(lab::is_on_frontier(chart(report), 1));  // constant_filter, which is slower
}

TEST_CASE("Capstone: for conv1, winograd is slower than direct and moves more than implicit_gemm") {
  const lab::Report report = tests::chapter::run("capstone", {{"layer", std::string("conv1")}});
  CHECK(answer(report, "frontier-names") == "direct constant_filter");
  CHECK(point(report, "winograd").seconds > point(report, "direct").seconds);
  CHECK(point(report, "winograd").sectors > point(report, "implicit_gemm").sectors);
}

TEST_CASE("Capstone: of the kernels for the gradient, block_sum dominates direct") {
  CHECK(answer(usual(), "dominated") == "direct");
}

TEST_CASE("Capstone: the gradient's kernels move the sectors that the chapter counts by hand") {
  const auto& gradient = exhibit<Chart>(usual(), "gradient");
  // Three warps per filter go through 2,560 rounds: a sector of the gradient each, and 26 rows of pixels between them. Some rows
  // lie across two sectors, so that there are a little more.
  constexpr double kDirect = 16 * 2560 * (3 + 26);
  const double direct = point_of(gradient, "direct").sectors;
  CHECK(direct > kDirect);
  CHECK(direct < 1.1 * kDirect);
  // Eight warps per weight go through 10 rounds of 4 + 4 sectors; rows of padding are not loaded.
  constexpr double kBlockSum = 1152 * 8 * 10 * (4 + 4);
  const double block_sum = point_of(gradient, "block_sum").sectors;
  CHECK(block_sum < kBlockSum);
  CHECK(block_sum > 0.9 * kBlockSum);
  CHECK(point_of(gradient, "split_k_gemm").sectors < 0.1 * block_sum);
}

TEST_CASE("Capstone: for the gradient, no band lets split_k_gemm be as fast as block_sum") {
  const auto& gradient = exhibit<Chart>(usual(), "gradient");
  CHECK_FALSE(overlap(point_of(gradient, "block_sum"), point_of(gradient, "split_k_gemm")));
}

}  // namespace warpbook::capstone_test
