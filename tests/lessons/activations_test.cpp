// The chapter Activations without a window: functions and slopes against long double and against differences, softmax against
// plain sums, the traffic of fusion against counting, presets exactly, and wrong kernels that look wrong.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/platform.hpp"
#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::activations_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using Int = std::int64_t;

std::string word(const char* text) { return text; }

lab::Report run(const Values& values, const std::string& slot = {},
                const std::string& source = {}) {
  return tests::chapter::run("activations", values, {slot, source});
}

const lab::CurveExhibit& curve(const lab::Report& report, std::string_view id) {
  return exhibit<lab::CurveExhibit>(report, id);
}
const lab::CheckExhibit& check(const lab::Report& report, std::string_view id) {
  return exhibit<lab::CheckExhibit>(report, id);
}

/// The functions once more, each in another form than the kernels' and the lesson's.
long double truth(const std::string& function, long double x, long double leak) {
  if (function == "relu") return (x + std::fabs(x)) / 2;
  if (function == "leaky-relu") return std::fmax(x, 0.0L) + leak * std::fmin(x, 0.0L);
  if (function == "sigmoid") return 0.5L + 0.5L * std::tanh(x / 2);
  if (function == "tanh") return 1 - 2 / (1 + std::exp(2 * x));
  if (function == "gelu") return 0.5L * x * (1 + std::erf(x / std::sqrt(2.0L)));
  const long double u = std::sqrt(2 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x);
  return x / (1 + std::exp(-2 * u));
}
long double slope(const std::string& function, long double x, long double leak) {
  constexpr long double kStep = 1e-6L;
  return (truth(function, x + kStep, leak) - truth(function, x - kStep, leak)) / (2 * kStep);
}

bool near(double got, long double wanted) {
  return std::fabs(static_cast<long double>(got) - wanted) <=
         std::fmax(2e-6L, 2e-5L * std::fabs(wanted));
}

/// Points whose value or slope is not the function's; the corner at 0 has no slope.
std::vector<double> wrong_points(const lab::CurveExhibit& shown, const std::string& function,
                                 double leak) {
  std::vector<double> wrong;
  for (std::uint64_t p = 0; p < lab::points_of(shown); ++p) {
    const double x = lab::x_at(shown, p);
    if (!std::isfinite(x)) continue;
    const bool corner = x == 0 && function.ends_with("relu");
    const bool right = near(lab::y_at(shown, 0, p), truth(function, x, leak)) &&
                       (corner || near(lab::y_at(shown, 1, p), slope(function, x, leak)));
    if (!right) wrong.push_back(x);
  }
  return wrong;
}

std::string variant(const std::string& name) {
  return tests::chapter::variant("activations", name);
}

}  // namespace

TEST_CASE("Activations: every function's curve and slope are its own, wherever it is looked at") {
  const auto function = GENERATE(word("sigmoid"), word("tanh"), word("relu"), word("leaky-relu"),
                                 word("gelu"), word("gelu-tanh"));
  const auto [at, range, n, leak] = GENERATE(table<double, double, Int, double>(
      {{0, 6, 129, 0.01}, {-1.25, 20, 2, 0.5}, {100, 100, 1000, 0}, {-100, 1, 33, 1}}));
  CAPTURE(function, at, range, n);
  const lab::Report report =
      run({{"function", function}, {"at", at}, {"range", range}, {"n", n}, {"slope", leak}});
  CHECK(report.errors.empty());
  const lab::CurveExhibit& shown = curve(report, "curve");
  CHECK(shown.elements == static_cast<std::uint64_t>(n) + 4);
  CHECK(wrong_points(shown, function, leak).empty());
  CHECK(lab::x_at(shown, shown.chosen) == at);
  if (leak != 0)
    CHECK(check(report, "check").passed());  // else 0 times infinity: NaN, and the truth is, too
}

TEST_CASE("Activations: infinities become limits, and a NaN stays one") {
  const auto [function, left, right] =
      GENERATE(table<std::string, double, double>({{"sigmoid", 0, 1},
                                                   {"tanh", -1, 1},
                                                   {"relu", 0, HUGE_VAL},
                                                   {"gelu", 0, HUGE_VAL},
                                                   {"gelu-tanh", 0, HUGE_VAL},
                                                   {"leaky-relu", -HUGE_VAL, HUGE_VAL}}));
  CAPTURE(function);
  const lab::Report report = run({{"function", function}});
  CHECK(check(report, "check").passed());
  const lab::CurveExhibit& shown = curve(report, "curve");
  const std::uint64_t last = lab::points_of(shown) - 1;
  CHECK(lab::y_at(shown, 0, 0) == left);
  CHECK(lab::y_at(shown, 0, last - 1) == right);
  CHECK(std::isnan(lab::y_at(shown, 0, last)));
  CHECK(answer(report, "through-nan") == "nan");
}

TEST_CASE("Activations: a million points are thinned to a curve that keeps its extremes") {
  const lab::Report report = run({{"function", word("gelu")}, {"n", Int{1} << 20}});
  CHECK(report.errors.empty());
  const lab::CurveExhibit& shown = curve(report, "curve");
  CHECK(shown.elements == (1u << 20) + 4);
  CHECK(lab::points_of(shown) < lab::kMostCurvePoints);
  CHECK(wrong_points(shown, "gelu", 0).empty());
  CHECK(figure(report, "least") == "-0.17");
  CHECK(figure(report, "steepest") == "1.13");
}

TEST_CASE("Activations: the gradient below the layers is the product of their slopes") {
  const auto [function, at, layers] =
      GENERATE(table<std::string, double, Int>({{"sigmoid", 0, 10},
                                                {"sigmoid", -3, 1},
                                                {"tanh", 0.5, 30},
                                                {"gelu", 2, 7},
                                                {"relu", 1, 10},
                                                {"leaky-relu", -1, 5}}));
  CAPTURE(function, at, layers);
  const lab::Report report =
      run({{"function", function}, {"at", at}, {"layers", layers}, {"slope", 0.25}});
  const lab::CurveExhibit& shown = curve(report, "layers");
  REQUIRE(lab::points_of(shown) == static_cast<std::uint64_t>(layers) + 1);
  std::vector<long double> given{at};
  for (Int i = 0; i < layers; ++i) given.push_back(truth(function, given.back(), 0.25L));
  long double gradient = 1;
  for (Int i = 0; i <= layers; ++i) {
    const auto p = static_cast<std::uint64_t>(i);
    CHECK(lab::y_at(shown, 0, p) == Catch::Approx(static_cast<double>(gradient)).epsilon(1e-4));
    if (i < layers)
      gradient *= slope(function, given[static_cast<std::size_t>(layers - i - 1)], 0.25L);
  }
}

TEST_CASE(
    "Activations: every softmax that subtracts the maximum is right at every shape and shift") {
  const auto [rows, columns, shift, scale] =
      GENERATE(table<Int, Int, double, double>({{4, 8, 0, 1},
                                                {1, 1, 84, 1},
                                                {33, 31, -120, 1},
                                                {3, 1000, 84, 0.5},
                                                {2, 33, 0, 100},
                                                {5, 64, 200, 0}}));
  for (const char* version : {"safe", "online"}) {
    CAPTURE(version, rows, columns, shift, scale);
    const lab::Report report = run({{"softmax", word(version)},
                                    {"rows", rows},
                                    {"columns", columns},
                                    {"shift", shift},
                                    {"scale", scale}});
    CHECK(report.errors.empty());
    CHECK(check(report, "softmax-check").passed());
    const auto* y = report.find_as<lab::TensorExhibit>("softmax");
    REQUIRE(y);
    CHECK(y->wrong.empty());
    // The logits are shift + scale times 0 to columns - 1, each once a row: so are the results' logarithms.
    long double sum = 0;
    for (Int i = 0; i < columns; ++i)
      sum += std::exp(static_cast<long double>(scale) * static_cast<long double>(i - columns + 1));
    std::vector<double> first, wanted;
    for (Int i = 0; i < columns; ++i) {
      first.push_back(lab::element(*y, static_cast<std::uint64_t>(i)));
      wanted.push_back(static_cast<double>(
          std::exp(static_cast<long double>(scale) * static_cast<long double>(i - columns + 1)) /
          sum));
    }
    std::ranges::sort(first);
    bool right = true;
    for (std::size_t i = 0; i < first.size(); ++i) right &= near(first[i], wanted[i]);
    CHECK(right);
    CHECK(figure(report, "row-sum") == "1");
  }
}

TEST_CASE("Activations: loads are counted as the versions make them") {
  const auto columns = GENERATE(Int{8}, Int{33}, Int{256});
  CAPTURE(columns);
  const lab::Report report = run({{"columns", columns}});
  CHECK(figure(report, "naive-loads") == "2");
  CHECK(figure(report, "safe-loads") == "3");
  CHECK(figure(report, "online-loads") == "2");
  CHECK(figure(report, "registers-loads") == "1");
}

TEST_CASE("Activations: a warp per row moves an eighth in long rows, and more in rows of two") {
  const auto sectors = [](Int columns, const char* version) {
    const lab::Report report = run({{"columns", columns}, {"rows", Int{64}}});
    std::string text = figure(report, version);
    std::erase(text, ',');
    return std::stoi(text);
  };
  // Two loads and a store of each logit. A lane alone with its row moves a sector for each of them.
  CHECK(sectors(64, "online-sectors") == 3 * 64 * 64);
  CHECK(sectors(64, "warp-sectors") == 3 * 64 * 64 / 8);
  // Rows of 8 bytes: four neighbours share a sector, or else each row moves one.
  CHECK(sectors(2, "online-sectors") == 3 * 2 * 64 / 4);
  CHECK(sectors(2, "warp-sectors") == 3 * 64);
}

TEST_CASE("Activations: the online pass knows the maximum and the scaled sum after every logit") {
  const lab::Report report = run({{"columns", Int{8}}, {"shift", 84.0}});
  const lab::CurveExhibit& steps = curve(report, "steps");
  REQUIRE(lab::points_of(steps) == 8);
  double maximum = -1e9;
  for (std::uint64_t p = 0; p < 8; ++p) {
    maximum = std::max(maximum, lab::y_at(steps, 2, p));
    double sum = 0;
    for (std::uint64_t before = 0; before <= p; ++before)
      sum += std::exp(lab::y_at(steps, 2, before) - maximum);
    CHECK(lab::y_at(steps, 0, p) == maximum);
    CHECK(lab::y_at(steps, 1, p) == Catch::Approx(sum));
  }
  CHECK(figure(report, "raises") == "3");
}

TEST_CASE("Activations: fused, a bias and a function move half the bytes and compute the same") {
  const auto function = GENERATE(word("sigmoid"), word("tanh"), word("relu"), word("gelu"));
  const auto pixels = GENERATE(Int{1024}, Int{256 * 7});
  CAPTURE(function, pixels);
  const lab::Report report = run({{"function", function}, {"pixels", pixels}});
  CHECK(report.errors.empty());
  CHECK(check(report, "fusion-check").passed());
  // Asked: x and the bias in, the sum out, the sum in, y out; fused x, the bias, y. Moved: of the bias a sector a warp.
  CHECK(figure(report, "two-asked") == "20");
  CHECK(figure(report, "one-asked") == "12");
  CHECK(answer(report, "two-moved") == "17");
  CHECK(figure(report, "one-moved") == "9");
  const auto* time = report.find_as<lab::TimingsExhibit>("fusion-time");
  REQUIRE(time);
  CHECK(time->rows[1].seconds < time->rows[0].seconds);
}

TEST_CASE("Activations: of few elements the launch costs most, of a million GELU's instructions") {
  for (const char* function : {"sigmoid", "relu", "gelu"}) {
    CAPTURE(function);
    const lab::Report few = run({{"function", word(function)}});
    CHECK(answer(few, "saved") == "launch");
    CHECK(std::stod(figure(few, "saved-time")) ==
          Catch::Approx(std::stod(figure(few, "two-time")) - std::stod(figure(few, "one-time")))
              .margin(0.011));
    CHECK(
        std::stod(figure(few, "saved-time")) ==
        Catch::Approx(std::stod(figure(few, "launch-time")) + std::stod(figure(few, "saved-rest")))
            .margin(0.011));
  }
  const lab::Report report = run({});
  CHECK(answer(report, "limiter") == "issue");
  const auto of = [&](const char* name) { return std::stod(figure(report, name)); };
  // What the page works out: 32,768 warps of that many instructions, four a clock on each of 132 multiprocessors.
  const double by_hand = 32'768 * of("gelu-instructions") / (4.0 * 132 * 1980);
  CHECK(of("gelu-issue") == Catch::Approx(by_hand).epsilon(0.1));
  // Eight bytes an element at L2's 6.6 TB/s; and four rounds of blocks, each somewhat longer than sigmoid's 0.6 us.
  CHECK(of("gelu-memory") == Catch::Approx(8.0 * (1 << 20) / 6.6e6).epsilon(0.06));
  CHECK(of("gelu-waiting") == Catch::Approx(4 * 0.6).epsilon(0.15));
  CHECK(of("gelu-issue") > of("gelu-waiting"));
  CHECK(of("gelu-waiting") > of("launch-time"));
  CHECK(of("launch-time") > of("gelu-memory"));
  // The box: memory takes longest in no row; waiting holds ReLU and sigmoid up.
  for (const char* function : {"relu", "sigmoid"})
    CHECK(lessons::text_argument(report, "million", std::string(function) + "_limiter") ==
          "latency");
  // The form with tanh: 65 instructions less, which is 2 us of issuing.
  CHECK(of("exact-instructions") - of("tanh-instructions") == 65);
  CHECK(65 * 32'768 / (4.0 * 132 * 1980) == Catch::Approx(2).epsilon(0.05));
  // But the launch gains less, because waiting takes longest then.
  CHECK(of("gelu-time") - of("tanh-time") < 1.6);
  CHECK(of("tanh-waiting") > of("tanh-issue"));
  // It is the same whatever the page shows, and fused GELU is what the page's own table has at that size.
  const lab::Report other = run({{"function", word("gelu")}, {"pixels", Int{65536}}});
  CHECK(figure(other, "gelu-issue") == figure(report, "gelu-issue"));
  CHECK(check(other, "fusion-check").passed());
}

TEST_CASE("Activations: five rounds of shuffles bring every lane the sum of all") {
  const lab::Report report = run({});
  CHECK(figure(report, "rounds") == "5");
  CHECK(answer(report, "two-rounds") == std::to_string(0 + 8 + 16 + 24));
  const auto& sums = exhibit<lab::TensorExhibit>(report, "rounds");
  constexpr std::uint64_t kLanes = 4;
  REQUIRE(sums.shape == std::vector<std::uint64_t>{6, kLanes});
  for (std::uint64_t round = 0; round < 6; ++round) {
    const std::uint64_t step = 32u >> round;  // lanes of a sum are that far apart
    for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
      double wanted = 0;
      for (std::uint64_t from = lane % step; from < 32; from += step)
        wanted += static_cast<double>(from);
      CHECK(lab::element(sums, kLanes * round + lane) == wanted);
    }
  }
}

TEST_CASE("Activations: pixels that fill no block, and one alone, are right in both ways") {
  const auto pixels = GENERATE(Int{1}, Int{31}, Int{257});
  CHECK(check(run({{"pixels", pixels}}), "fusion-check").passed());
}

TEST_CASE("Activations: what overflows is the exponential of 89, and naive rows show it") {
  const lab::Report all = run({{"columns", Int{101}}});
  CHECK(answer(all, "first-infinite") == "89");
  CHECK(figure(all, "largest-exponential") == "1.65e38");
  CHECK(curve(all, "exponentials").series[0].infinities == 12);
  const lab::Report over = run({{"shift", 84.0}});
  CHECK(answer(over, "nans") == "3");
  CHECK_FALSE(check(over, "softmax-check").passed());
  CHECK(over.find_as<lab::TensorExhibit>("softmax")->wrong.size() == 32);
  CHECK(answer(run({{"shift", -120.0}}), "nans") == "8");
  const lab::Report usual = run({});
  CHECK(answer(usual, "nans") == "0");
  CHECK(std::stod(figure(usual, "difference")) < 1e-6);
  CHECK(figure(usual, "second-sum") == "1.05");
  CHECK(answer(usual, "row-total") == "1.58");
  // Two lanes with 4 and 0, and with 2 and 6: each has 1 + e^-4, and the first's belongs to a maximum that is 2 lower.
  const lab::Report shared = run({{"columns", Int{4}}, {"scale", 2.0}});
  CHECK(answer(shared, "row-total") == "1.16");
  CHECK(std::stod(answer(shared, "row-total")) ==
        Catch::Approx((1 + std::exp(-4.0)) * (1 + std::exp(-2.0))).epsilon(0.005));
}

TEST_CASE("Activations: GELU with tanh differs in the fourth digit, and takes fewer instructions") {
  const lab::Report report = run({});
  long double gap = 0;
  for (int i = -600; i <= 600; ++i) {
    const long double x = i / 100.0L;
    gap = std::max(gap, std::fabs(truth("gelu-tanh", x, 0) - truth("gelu", x, 0)));
  }
  CHECK(std::stod(figure(report, "gap")) == Catch::Approx(static_cast<double>(gap)).epsilon(0.02));
  CHECK(std::stod(figure(report, "tanh-instructions")) <
        std::stod(figure(report, "exact-instructions")));
}

TEST_CASE("Activations: every preset runs, and shows what its name says") {
  const lab::Lesson& lesson = *lessons::find("activations");
  const auto shown = [&](const char* name) {
    const auto preset = std::ranges::find(lesson.presets, name, &lab::Preset::name);
    REQUIRE(preset != lesson.presets.end());
    lab::Report report = run(values_of(*preset));
    CAPTURE(name);
    CHECK(report.errors.empty());
    CHECK(check(report, "check").passed());
    return report;
  };
  CHECK(figure(shown("sigmoid"), "slope") == "0.25");
  CHECK(figure(shown("tanh"), "slope") == "1");
  CHECK(figure(shown("relu"), "slope") == "0");
  CHECK(figure(shown("leaky-relu"), "slope") == "0.01");
  CHECK(figure(shown("gelu"), "slope") == "0.5");
  CHECK(figure(shown("gelu-tanh"), "slope") == "0.5");
  CHECK(lab::points_of(curve(shown("deep"), "layers")) == 21);
  CHECK(answer(shown("overflow"), "nans") == "3");
  CHECK(check(shown("mended"), "softmax-check").passed());
  CHECK(check(shown("online"), "softmax-check").passed());
  CHECK(answer(shown("underflow"), "nans") == "8");
  CHECK(check(shown("million"), "fusion-check").passed());
}

TEST_CASE("Activations: the questions about functions have their answers") {
  CHECK(answer(run({}), "gradient-order") == "1e-7");
  CHECK(answer(run({{"function", word("relu")}, {"at", 1.0}}), "gradient-order") == "none");
  CHECK(answer(run({{"function", word("relu")}, {"at", -1.0}}), "gradient-order") == "0");
  CHECK(answer(run({}, "relu", variant("relu_turned")), "through-nan") ==
        "nan");  // sigmoid is shown
  CHECK(answer(run({{"function", word("relu")}}, "relu", variant("relu_turned")), "through-nan") ==
        "0");
  const lab::Report soft =
      run({{"function", word("relu")}, {"at", 100.0}}, "relu", variant("softplus"));
  CHECK(answer(soft, "value") == "inf");
  CHECK_FALSE(check(soft, "check").passed());
}

TEST_CASE(
    "Activations: a sigmoid that forgets the minus is mirrored, and its slope no longer fits") {
  const lab::Report report = run({}, "sigmoid",
                                 "__global__ void mirrored(const float* x, float* y, int n) {\n"
                                 "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "  if (i < n) y[i] = 1 / (1 + expf(x[i]));\n}\n");
  const lab::CurveExhibit& shown = curve(report, "curve");
  CHECK(lab::limit_of(shown, 0, false) == 1.0);
  CHECK(lab::limit_of(shown, 0, true) == 0.0);
  CHECK(wrong_points(shown, "sigmoid", 0).size() > 100);
  CHECK(check(report, "check").items[0].state == lab::CheckExhibit::State::failed);
}

TEST_CASE("Activations: a tanh by its textbook formula has gaps where it overflows") {
  const lab::Report report =
      run({{"function", word("tanh")}, {"range", 100.0}}, "tanh",
          "__global__ void textbook(const float* x, float* y, int n) {\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  if (i < n) y[i] = (expf(x[i]) - expf(-x[i])) / (expf(x[i]) + expf(-x[i]));\n}\n");
  const lab::CurveExhibit& shown = curve(report, "curve");
  CHECK(shown.series[0].nans >= 14);
  const auto runs = lab::runs_of(shown, 0, 1000);
  REQUIRE(runs.size() == 1);
  CHECK(lab::x_at(shown, runs[0].front()) > -89);
  CHECK(lab::x_at(shown, runs[0].back()) < 89);
  CHECK_FALSE(check(report, "check").passed());
}

TEST_CASE("Activations: a backward kernel that forgets the gradient it was given loses the chain") {
  const lab::Report report =
      run({{"layers", Int{5}}}, "sigmoid-backward",
          "__global__ void forgets(const float* x, const float* dy, float* dx, int n) {\n"
          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  const float e = expf(-fabsf(x[i < n ? i : 0]));\n"
          "  if (i < n) dx[i] = e / ((1 + e) * (1 + e));\n}\n");
  CHECK(check(report, "check").passed());  // with a gradient of 1 nobody sees it
  const lab::CurveExhibit& layers = curve(report, "layers");
  CHECK(lab::y_at(layers, 0, 5) == 0.25);  // the last layer's slope alone
}

TEST_CASE(
    "Activations: an online softmax that does not scale its sum is wrong where the maximum rose") {
  std::string source;
  {
    const auto text =
        device::read_file(std::string(WARPBOOK_SOURCE_DIR) + "/kernels/softmax/03_online.cu");
    REQUIRE(text);
    source = *text;
    const std::string scaled = "sum * expf(maximum - raised)";
    const auto at = source.find(scaled);
    REQUIRE(at != std::string::npos);
    source.replace(at, scaled.size(), "sum");
  }
  const lab::Report report = run({{"softmax", word("online")}}, "online", source);
  CHECK_FALSE(check(report, "softmax-check").passed());
  CHECK(report.find_as<lab::TensorExhibit>("softmax")->wrong.size() > 16);
  CHECK(figure(report, "row-sum") != "1");
}

TEST_CASE(
    "Activations: a kernel that does not compile, stores nothing or is none is an error, never a "
    "crash") {
  CHECK_FALSE(run({}, "sigmoid", "int nothing;").errors.empty());
  CHECK_FALSE(run({}, "online", "__global__ void softmax(").errors.empty());
  const lab::Report idle =
      run({}, "sigmoid", "__global__ void idle(const float* x, float* y, int n) {}\n");
  CHECK_FALSE(check(idle, "check").passed());
}

}  // namespace warpbook::activations_test
