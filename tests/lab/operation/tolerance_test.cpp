#include "lab/operation/tolerance.hpp"

#include <cmath>
#include <limits>
#include <span>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::tests::tolerance_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

TensorExhibit tensor(const std::vector<float>& values) {
  TensorExhibit result{"y", device::ElementType::f32, {values.size()}, {}, {}};
  const auto bytes = std::as_bytes(std::span(values));
  result.data.assign(bytes.begin(), bytes.end());
  return result;
}

bool holds(const char* tolerance, float got, double truth, double magnitude = 0,
           std::uint64_t products = 0, std::int64_t depth = 0) {
  return deviation(tensor({got}), {{truth}, {magnitude}, products}, *parse_tolerance(tolerance),
                   depth)
      .passed();
}

}  // namespace

TEST_CASE("NaN passes no tolerance unless the truth is NaN") {
  const char* tolerance = GENERATE("bitwise", "sum", "products", "tf32", "winograd",
                                   "relative 1e-5", "absolute 1", "ulp 4", "ulp 4 floor 0.0625");
  CAPTURE(tolerance);
  CHECK_FALSE(holds(tolerance, static_cast<float>(kNaN), 1, 1, 1, 1));
  CHECK_FALSE(holds(tolerance, static_cast<float>(kInfinity), 1, 1, 1, 1));
  CHECK_FALSE(holds(tolerance, 1, kNaN, 1, 1, 1));
  CHECK_FALSE(holds(tolerance, static_cast<float>(-kInfinity), kInfinity, 1, 1, 1));
  CHECK(holds(tolerance, static_cast<float>(kNaN), kNaN, 1, 1, 1));
  CHECK(holds(tolerance, static_cast<float>(kInfinity), kInfinity, 1, 1, 1));
  CHECK(holds(tolerance, 1, 1, 1, 1, 1));
}

TEST_CASE("each tolerance lets through what it says and no more") {
  CHECK(holds("bitwise", 0.1f, 0.1));
  CHECK_FALSE(holds("bitwise", std::nextafter(0.1f, 1.f), 0.1));
  CHECK_FALSE(holds("bitwise", -0.0f, 0.0));
  // 2 eps (depth + 2) sum |terms| = 2 * 2^-24 * 4 * 8 = 2^-18
  CHECK(holds("sum", 0x1p-18f, 0, 8, 0, 2));
  CHECK_FALSE(holds("sum", 0x1.1p-18f, 0, 8, 0, 2));
  // 6e-8 (4 + 0.7 * 10) = 6.6e-7
  CHECK(holds("products", 1 + 5 * 0x1p-23f, 1, 0, 100));
  CHECK_FALSE(holds("products", 1 + 6 * 0x1p-23f, 1, 0, 100));
  CHECK(holds("tf32", 1.0009f, 1));
  CHECK_FALSE(holds("tf32", 1.0011f, 1));
  CHECK(holds("winograd", 1.000009f, 1));
  CHECK_FALSE(holds("winograd", 1.000011f, 1));
  CHECK(holds("relative 0.25", 2.5f, 2));
  CHECK_FALSE(holds("relative 0.25", 2.6f, 2));
  CHECK(holds("relative 0.25 floor 1", 0.25f, 0));
  CHECK_FALSE(holds("relative 0.25", 0.25f, 0));
  CHECK(holds("absolute 0.5", 0.5f, 0));
  CHECK_FALSE(holds("absolute 0.5", 0.75f, 0));
  CHECK(holds("ulp 4", 1 + 4 * 0x1p-23f, 1));
  CHECK_FALSE(holds("ulp 4", 1 + 5 * 0x1p-23f, 1));
  CHECK(holds("ulp 4 floor 0.0625", 4 * 0x1p-27f, 0));
  CHECK_FALSE(holds("ulp 4 floor 0.0625", 5 * 0x1p-27f, 0));
}

TEST_CASE("a deviation counts the bad, shows five, and names the worst") {
  std::vector<float> got(10, 1);
  for (const int i : {1, 2, 3, 5, 7, 8}) got[static_cast<std::size_t>(i)] = 2;
  got[7] = 3;
  const Deviation d = deviation(tensor(got), {std::vector<double>(10, 1.0), {}, 0},
                                *parse_tolerance("absolute 0.5"), 0);
  CHECK(d.bad == 6);
  CHECK(d.elements == 10);
  CHECK(d.worst == 7);
  CHECK(d.worst_error == 2);
  REQUIRE(d.first.size() == 5);
  CHECK(d.first[4].index == 7);
  CHECK(d.first[4].got == 3);
  CHECK(std::abs(d.relative_l2 - std::sqrt(9.0 / 10.0)) < 1e-12);
  CHECK(deviation(tensor({}), {}, *parse_tolerance("bitwise"), 0).passed());
}

TEST_CASE("a tolerance that is none is refused") {
  const char* text = GENERATE("", "nearly", "relative", "relative x", "relative -1", "relative nan",
                              "ulp 4 floor", "absolute 1 floor 2", "ulp 4 ceiling 2", "bitwise 1");
  CAPTURE(text);
  CHECK_FALSE(parse_tolerance(text).has_value());
}

}  // namespace warpbook::tests::tolerance_test
