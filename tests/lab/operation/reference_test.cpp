// The float64 truths: forward against numbers worked out by hand, backward against finite differences of forward.
#include "lab/operation/reference/reference.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::tests::reference_test {

using namespace warpbook::lab;
using Values = std::vector<double>;

namespace {

Truths truths_of(const std::string& operation, const Given& given) {
  const Reference reference = find_reference(operation);
  REQUIRE(reference != nullptr);
  return reference(given);
}

/// Numbers between -2 and 2 in no order, none of them near another's neighbourhood by design.
Values numbers(std::size_t count, double seed) {
  Values values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(2 * std::sin(seed + 12.9898 * static_cast<double>(i + 1) +
                                  0.1 * static_cast<double>(i * i)));
  return values;
}

double product(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The slope of <dy, forward's output> by each element of an input, by central differences.
Values slopes(const std::string& forward, Given given, const std::string& input, const Values& dy) {
  constexpr double kStep = 1e-5;
  Values result;
  Values& x = given.inputs.at(input);
  for (double& element : x) {
    const double at = element;
    element = at + kStep;
    const double above = product(truths_of(forward, given).at("y").values, dy);
    element = at - kStep;
    const double below = product(truths_of(forward, given).at("y").values, dy);
    element = at;
    result.push_back((above - below) / (2 * kStep));
  }
  return result;
}

void check_close(const Values& got, const Values& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(got[i] == Catch::Approx(expected[i]).margin(1e-7).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("the truth of SGEMM is the matrix product") {
  const Given given{
      {{"m", 2}, {"n", 2}, {"k", 3}}, {}, {{"a", {1, 2, 3, 4, 5, 6}}, {"b", {1, 0, 0, 1, 2, 3}}}};
  const Truth c = truths_of("sgemm", given).at("c");
  CHECK(c.values == Values{7, 11, 16, 23});
  CHECK(c.products == 3);
}

TEST_CASE("the truth of a convolution knows stride, pad, dilation and layout") {
  // 3 x 3 words 1 to 9 under 2 x 2 weights.
  Given given{
      {{"n", 1},
       {"c", 1},
       {"h", 3},
       {"w", 3},
       {"k", 1},
       {"r", 2},
       {"s", 2},
       {"p", 2},
       {"q", 2},
       {"stride", 1},
       {"pad", 0},
       {"dilation", 1}},
      {},
      {{"x", {1, 2, 3, 4, 5, 6, 7, 8, 9}}, {"weights", {1, 10, 100, 1000}}, {"bias", {0.5}}}};
  CHECK(truths_of("convolution", given).at("y").values == Values{5421.5, 6532.5, 8754.5, 9865.5});
  given.integers["pad"] = 1;
  given.integers["stride"] = 2;
  CHECK(truths_of("convolution", given).at("y").values == Values{1000.5, 3200.5, 7040.5, 9865.5});
  given.integers["dilation"] = 2;
  given.integers["stride"] = 1;
  given.integers["p"] = given.integers["q"] = 3;
  CHECK(truths_of("convolution", given).at("y").values ==
        Values{5000.5, 6400.5, 500.5, 8020.5, 9731.5, 802.5, 50.5, 64.5, 5.5});
}

TEST_CASE("the truth in NHWC is the truth in NCHW, rearranged") {
  Given nchw{{{"n", 2},
              {"c", 3},
              {"h", 4},
              {"w", 5},
              {"k", 2},
              {"r", 3},
              {"s", 2},
              {"p", 3},
              {"q", 3},
              {"stride", 2},
              {"pad", 1},
              {"dilation", 1}},
             {},
             {{"x", numbers(120, 1)}, {"weights", numbers(36, 2)}, {"bias", {3, 4}}}};
  // [outer][channels][inner] to [outer][inner][channels]
  const auto turned = [](const Values& from, std::size_t outer, std::size_t channels) {
    const std::size_t inner = from.size() / outer / channels;
    Values to;
    for (std::size_t o = 0; o < outer; ++o)
      for (std::size_t i = 0; i < inner; ++i)
        for (std::size_t c = 0; c < channels; ++c)
          to.push_back(from[(o * channels + c) * inner + i]);
    return to;
  };
  Given nhwc = nchw;
  nhwc.inputs["x"] = turned(nchw.input("x"), 2, 3);
  nhwc.inputs["weights"] = turned(nchw.input("weights"), 2, 3);
  check_close(truths_of("convolution_nhwc", nhwc).at("y").values,
              turned(truths_of("convolution", nchw).at("y").values, 2, 2));
}

TEST_CASE("the gradients of a convolution are the slopes of its truth") {
  const std::string layout = GENERATE("", "_nhwc");
  Given given{{{"n", 2},
               {"c", 2},
               {"h", 5},
               {"w", 4},
               {"k", 3},
               {"r", 2},
               {"s", 3},
               {"p", 3},
               {"q", 2},
               {"stride", 2},
               {"pad", 1},
               {"dilation", 1}},
              {},
              {{"x", numbers(80, 1)}, {"weights", numbers(36, 2)}, {"bias", numbers(3, 3)}}};
  const Values dy = numbers(36, 4);
  Given backward = given;
  backward.inputs["dy"] = dy;
  check_close(truths_of("convolution_backward_data" + layout, backward).at("dx").values,
              slopes("convolution" + layout, given, "x", dy));
  check_close(truths_of("convolution_backward_filter" + layout, backward).at("dweights").values,
              slopes("convolution" + layout, given, "weights", dy));
  if (!layout.empty()) return;
  const Given bias{{{"n", 2}, {"k", 3}, {"pixels", 6}}, {}, {{"dy", dy}}};
  check_close(truths_of("convolution_backward_bias", bias).at("dbias").values,
              slopes("convolution", given, "bias", dy));
}

TEST_CASE("the gradients of activations are the slopes of their truths") {
  const std::string name = GENERATE("relu", "sigmoid", "tanh", "gelu");
  CAPTURE(name);
  Values x = numbers(40, 5);
  for (const double far : {-9.0, -4.5, 4.5, 9.0}) x.push_back(far);
  const auto n = static_cast<std::int64_t>(x.size());
  const Values dy = numbers(x.size(), 6);
  const Given forward{{{"n", n}}, {}, {{"x", x}}};
  const Given backward{{{"n", n}}, {}, {{"x", x}, {"dy", dy}}};
  check_close(truths_of("activation_" + name + "_backward", backward).at("dx").values,
              slopes("activation_" + name, forward, "x", dy));
}

TEST_CASE("the truths of activations take their limits at the infinities, and keep a NaN") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Given given{
      {{"n", 4}}, {}, {{"x", {-kInfinity, 0, kInfinity, std::nan("")}}, {"dy", {2, 2, 2, 2}}}};
  const auto check = [&](const std::string& operation, const char* output, const Values& expected) {
    CAPTURE(operation);
    const Values values = truths_of(operation, given).at(output).values;
    for (std::size_t i = 0; i < 3; ++i) CHECK(values[i] == expected[i]);
    CHECK(std::isnan(values[3]));
  };
  check("activation_relu", "y", {0, 0, kInfinity});
  check("activation_sigmoid", "y", {0, 0.5, 1});
  check("activation_tanh", "y", {-1, 0, 1});
  check("activation_gelu", "y", {0, 0, kInfinity});
  check("activation_sigmoid_backward", "dx", {0, 0.5, 0});
  check("activation_tanh_backward", "dx", {0, 2, 0});
  check("activation_gelu_backward", "dx", {0, 1, 2});
}

TEST_CASE("the gradient of softmax is the slope of its truth") {
  const Given given{{{"rows", 3}, {"columns", 7}}, {}, {{"x", numbers(21, 7)}}};
  const Values dy = numbers(21, 8);
  const Truth y = truths_of("softmax", given).at("y");
  for (std::size_t row = 0; row < 21; row += 7) {
    double sum = 0;
    for (std::size_t i = row; i < row + 7; ++i) sum += y.values[i];
    CHECK(sum == Catch::Approx(1));
  }
  const Given backward{given.integers, {}, {{"y", y.values}, {"dy", dy}}};
  check_close(truths_of("softmax_backward", backward).at("dx").values,
              slopes("softmax", given, "x", dy));
}

TEST_CASE("the gradients of pooling are the slopes of their truths") {
  const Given given{{{"planes", 2},
                     {"h", 5},
                     {"w", 6},
                     {"r", 3},
                     {"s", 2},
                     {"p", 3},
                     {"q", 4},
                     {"stride", 2},
                     {"pad", 1}},
                    {},
                    {{"x", numbers(60, 9)}}};
  const Values dy = numbers(24, 10);
  Given backward = given;
  backward.inputs["dy"] = dy;
  backward.inputs["tap"] = truths_of("pooling_max", given).at("tap").values;
  check_close(truths_of("pooling_max_backward", backward).at("dx").values,
              slopes("pooling_max", given, "x", dy));
  check_close(truths_of("pooling_average_backward", backward).at("dx").values,
              slopes("pooling_average", given, "x", dy));
}

TEST_CASE(
    "the truth of max pooling takes the first of equals, a NaN before all, and nothing outside the "
    "image") {
  const double nan = std::nan("");
  const Given given{{{"planes", 1},
                     {"h", 2},
                     {"w", 3},
                     {"r", 2},
                     {"s", 2},
                     {"p", 3},
                     {"q", 4},
                     {"stride", 1},
                     {"pad", 1}},
                    {},
                    {{"x", {-5, -5, 1, -7, nan, 1}}}};
  const Truths truths = truths_of("pooling_max", given);
  const Values& y = truths.at("y").values;
  CHECK(truths.at("tap").values == Values{3, 2, 3, 2, 1, 3, 2, 0, 1, 1, 0, 0});
  CHECK(y[0] == -5);
  CHECK(std::isnan(y[5]));
  CHECK(y[7] == 1);
  CHECK(y[8] == -7);
}

}  // namespace warpbook::tests::reference_test
