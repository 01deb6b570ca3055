// oneDNN, every implementation that it offers, against plain loops in float64.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "device/libraries/client.hpp"
#include "tests/device/libraries/reference.hpp"
#include "tests/keyed.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::onednn_test {
namespace {

using namespace device::libraries;
using device::ErrorCode;

/// One worker for all of this file's tests.
Client& onednn() {
  static Client client(Kind::onednn);
  return client;
}

Problem convolution(const Shape& image, std::int64_t filters, Along window, Along stride = {},
                    Along pad = {0, 0}, Along dilation = {}) {
  Problem p;
  p.image = image;
  p.filters = filters;
  p.window = window;
  p.stride = stride;
  p.pad = pad;
  p.dilation = dilation;
  return p;
}

/// The tolerances of kernels/ (lab/operation/tolerance.hpp), doubled for sums of products, which some of oneDNN's loops add up strictly in order; a Winograd of 4x4
/// tiles is allowed what that of 2x2 is.
double bound(const Problem& p, const std::string& name) {
  if (p.precision == Precision::bf16) return 1e-2;
  if (p.kind == ProblemKind::softmax) return 1e-5;
  if (p.kind == ProblemKind::activation || p.kind == ProblemKind::pooling) return 2e-6;
  if (name.find("wino") != std::string::npos) return 1e-5;
  const double terms = p.kind == ProblemKind::matmul
                           ? static_cast<double>(p.k)
                           : static_cast<double>(multiply_adds(p)) /
                                 static_cast<double>(tensors_of(p).output.shape.count());
  return 2 * 6e-8 * (4 + 0.7 * std::sqrt(std::max(terms, 1.0)));
}

/// Runs all implementations; gives how many there were.
std::size_t hold(const Problem& p) {
  const auto offer = onednn().offer(p, {});
  if (!offer) FAIL(offer.error().english());
  const auto inputs = inputs_for(p);
  const auto truth = reference(p, inputs);
  for (std::uint32_t i = 0; i < offer->algorithms.size(); ++i) {
    const Algorithm& algorithm = offer->algorithms[i];
    CAPTURE(algorithm.name, algorithm.settings);
    const auto got = onednn().run(p, i, inputs);
    if (!got) FAIL(got.error().english());
    REQUIRE(got->size() == truth.size());
    const double error = relative_error(*got, truth);
    CAPTURE(error);
    CHECK((error <= bound(p, algorithm.name)));
  }
  return offer->algorithms.size();
}

}  // namespace

TEST_CASE("oneDNN's convolutions and their gradients are those of the loops") {
  const Problem problem = GENERATE(convolution({2, 3, 7, 6}, 5, {3, 3}, {1, 1}, {1, 1}),
                                   convolution({1, 1, 1, 1}, 1, {1, 1}),
                                   convolution({1, 1, 9, 8}, 4, {3, 2}, {2, 3}, {1, 0}),
                                   convolution({3, 3, 11, 13}, 16, {5, 5}, {2, 2}, {2, 2}),
                                   convolution({1, 17, 12, 12}, 19, {3, 3}, {1, 1}, {2, 2}, {2, 2}),
                                   convolution({2, 32, 10, 10}, 32, {3, 3}, {1, 1}, {1, 1}),
                                   convolution({1, 16, 8, 8}, 8, {3, 3}, {100, 100}, {1, 1}));
  for (const Pass pass : {Pass::forward, Pass::data, Pass::filter}) {
    for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
      Problem p = problem;
      p.pass = pass;
      p.layout = layout;
      CAPTURE(p.image.n, p.image.c, p.image.h, p.image.w, p.filters, name_of(pass),
              name_of(layout));
      CHECK(hold(p) >= 1);
    }
  }
}

TEST_CASE(
    "oneDNN's grouped and depthwise convolutions and their gradients are those of the loops") {
  struct Case {
    Shape image;
    std::int64_t filters, groups;
  };
  // 1, 2 and as many as channels; also more filters than channels, and shapes in which filters and results have like extents.
  const auto c =
      GENERATE(Case{{2, 6, 7, 6}, 8, 1}, Case{{2, 6, 7, 6}, 8, 2}, Case{{2, 6, 7, 6}, 6, 6},
               Case{{1, 6, 7, 6}, 12, 6}, Case{{2, 32, 9, 9}, 64, 2}, Case{{2, 32, 9, 9}, 32, 32},
               Case{{4, 8, 5, 5}, 4, 2});
  Problem p = convolution(c.image, c.filters, {3, 3}, {1, 1}, {1, 1});
  p.groups = c.groups;
  for (const Pass pass : {Pass::forward, Pass::data, Pass::filter}) {
    for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
      p.pass = pass;
      p.layout = layout;
      CAPTURE(p.image.c, p.filters, p.groups, name_of(pass), name_of(layout));
      CHECK(hold(p) >= 1);
    }
  }
}

TEST_CASE("oneDNN offers something for depthwise convolutions that it has not for others") {
  Problem p = convolution({2, 32, 10, 10}, 32, {3, 3}, {1, 1}, {1, 1});
  const auto names = [](const Problem& problem) {
    const auto offer = onednn().offer(problem, {});
    REQUIRE(offer);
    std::set<std::string> all;
    for (const Algorithm& algorithm : offer->algorithms) all.insert(algorithm.name);
    return all;
  };
  const auto dense = names(p);
  p.groups = 32;
  CHECK(names(p) != dense);
}

TEST_CASE("oneDNN lists what its machine's memory cannot hold, and does not try to time it") {
  const Problem p = convolution({1, 1, 300'000, 300'000}, 1, {3, 3});
  CHECK(onednn().offer(p, {}));
  const auto timed = onednn().time(p, {0}, {});
  REQUIRE_FALSE(timed);
  CHECK_THAT(timed.error().english(), warpbook::tests::Says("phrase.why.half-memory"));
}

TEST_CASE("oneDNN offers several implementations of one convolution, the plain one among them") {
  const Problem p = convolution({2, 32, 10, 10}, 32, {3, 3}, {1, 1}, {1, 1});
  const auto offer = onednn().offer(p, {});
  REQUIRE(offer);
  std::set<std::string> names;
  for (const Algorithm& algorithm : offer->algorithms) names.insert(algorithm.name);
  CHECK(names.size() >= 3);
  CHECK(names.contains("ref:any"));
  // The layouts that it likes are blocked, and the page says so.
  CHECK(std::ranges::any_of(offer->algorithms, [](const Algorithm& a) {
    return a.settings.find("aBcd") != std::string::npos &&
           std::ranges::find(a.notes, "ANY_LAYOUT") != a.notes.end();
  }));
}

TEST_CASE("oneDNN multiplies matrices as the loops do") {
  Problem p;
  p.kind = ProblemKind::matmul;
  const auto [m, n, k] = GENERATE(std::array{1, 1, 1}, std::array{33, 17, 129},
                                  std::array{64, 127, 31}, std::array{5, 1, 1023});
  p.m = m;
  p.n = n;
  p.k = k;
  CHECK(hold(p) >= 1);
  p.precision = Precision::bf16;
  if (onednn().offer(p, {})) CHECK(hold(p) >= 1);
}

TEST_CASE(
    "oneDNN's softmax, activations and pooling are those of the loops, forward and backward") {
  Problem p;
  p.image = GENERATE(Shape{1, 1, 1, 1}, Shape{2, 3, 5, 4}, Shape{1, 33, 7, 9}, Shape{4, 129, 1, 1});
  for (const Pass pass : {Pass::forward, Pass::data}) {
    for (const Layout layout : {Layout::nchw, Layout::nhwc}) {
      p.pass = pass;
      p.layout = layout;
      CAPTURE(p.image.c, p.image.h, name_of(pass), name_of(layout));
      p.kind = ProblemKind::softmax;
      CHECK(hold(p) >= 1);
      p.kind = ProblemKind::activation;
      for (const Activation which :
           {Activation::relu, Activation::sigmoid, Activation::tanh, Activation::gelu}) {
        p.activation = which;
        CHECK(hold(p) >= 1);
      }
      if (std::min(p.image.h, p.image.w) < 3) continue;
      p.kind = ProblemKind::pooling;
      p.window = {3, 2};
      p.stride = {2, 1};
      p.pad = {1, 0};
      for (const Pooling which : {Pooling::max, Pooling::average_all, Pooling::average_inside}) {
        p.pooling = which;
        CHECK(hold(p) >= 1);
      }
    }
  }
}

TEST_CASE("A result that is not the loops' is told from one that is") {
  Problem p = convolution({2, 3, 7, 6}, 5, {3, 3}, {1, 1}, {1, 1});
  const auto inputs = inputs_for(p);
  const auto truth = reference(p, inputs);
  Numbers got(truth.begin(), truth.end());
  CHECK((relative_error(got, truth) <= bound(p, "")));
  got[17] += 0.001f;
  CHECK_FALSE((relative_error(got, truth) <= bound(p, "")));
  got[17] = std::nanf("");
  CHECK_FALSE((relative_error(got, truth) <= bound(p, "")));
}

TEST_CASE("oneDNN says what it has not, in its words and ours") {
  Problem p = convolution({1, 3, 8, 8}, 4, {3, 3});
  p.precision = Precision::tf32;
  const auto tf32 = onednn().offer(p, {});
  REQUIRE_FALSE(tf32);
  CHECK(warpbook::tests::keyed(tf32.error()) ==
        "library_refused(library=oneDNN, why=phrase.why.not-a-tf32, words=phrase.words.not-asked)");
  p.groups = 2;
  CHECK(
      warpbook::tests::keyed(onednn().offer(p, {}).error()) ==
      "bad_problem(value=2, what=phrase.what.the-groups, why=phrase.why.uneven-channels(count=3))");
  p.groups = 1;
  p.precision = Precision::fp16;
  const auto fp16 = onednn().offer(p, {});
  REQUIRE_FALSE(fp16);
  CHECK(fp16.error().code == ErrorCode::library_refused);
  CHECK(fp16.error().english().find("unimplemented") != std::string::npos);
}

TEST_CASE("oneDNN's times are measured on a CPU that is named, and what is too slow is stopped",
          "[ci]") {
  const Problem p = convolution({16, 64, 28, 28}, 64, {3, 3}, {1, 1}, {1, 1});
  const auto offer = onednn().offer(p, {});
  REQUIRE(offer);
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < offer->algorithms.size(); ++i) all.push_back(i);
  const auto timings = onednn().time_those_within(0.25, p, all, {0.001, 0.05, 0.05});
  if (!timings) FAIL(timings.error().english());
  REQUIRE(timings->size() == all.size());
  std::size_t timed = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& timing = (*timings)[i];
    CAPTURE(offer->algorithms[i].name);
    // The plain loops are slow at this size, on any machine.
    if (offer->algorithms[i].name == "ref:any") CHECK_FALSE(timing);
    if (!timing) continue;
    ++timed;
    CHECK(timing->minimum > 0);
    CHECK(timing->minimum <= timing->p20);
    CHECK(timing->p20 <= timing->median);
    CHECK(timing->median <= timing->p80);
    CHECK(timing->samples >= 1);
    CHECK(timing->hot);
    CHECK(timing->on.find("threads") != std::string::npos);
  }
  CHECK(timed >= 1);
}

}  // namespace warpbook::tests::onednn_test
