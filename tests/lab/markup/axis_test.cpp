#include "lab/markup/axis.hpp"

#include <cmath>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::lab::axis_test {

using Numbers = std::vector<double>;

TEST_CASE("A round step is the next of 1, 2 and 5 times a power of ten") {
  CHECK(round_step(1) == 1);
  CHECK(round_step(1.1) == 2);
  CHECK(round_step(2.5) == 5);
  CHECK(round_step(6) == 10);
  CHECK(round_step(0.03) == 0.05);
  CHECK(round_step(1234) == 2000);
  CHECK(round_step(0.1 + 0.1 + 0.1 - 0.2) == 0.1);  // a little more than 0.1
}

TEST_CASE("The multiples of a step reach from end to end, and none is minus zero") {
  CHECK(multiples_of(2, 0, 6) == Numbers{0, 2, 4, 6});
  CHECK(multiples_of(2, 0.5, 5.9) == Numbers{2, 4});
  CHECK(multiples_of(0.1, 0, 0.1 + 0.2).size() == 4);  // 0.3 and a little
  CHECK(multiples_of(5, 1, 4).empty());
  const Numbers around = multiples_of(1, -0.5, 1);
  CHECK(around == Numbers{0, 1});
  CHECK_FALSE(std::signbit(around.front()));
}

TEST_CASE("Powers of ten are no more than are asked for") {
  CHECK(decades_of(0.5, 200, 5) == Numbers{1, 10, 100});
  CHECK(decades_of(1, 1e12, 5).size() <= 5);
  CHECK(decades_of(2, 9, 5).empty());
  CHECK(decades_of(0, 10, 5).empty());
  CHECK(log_share(10, 1, 100) == 0.5);
}

TEST_CASE("An axis has a handful of round numbers, over a factor of two as over many decades") {
  const auto [low, high] =
      GENERATE(table<double, double>({{1e-5, 2e-5}, {1.1e4, 4.6e5}, {1, 1e12}, {3, 4e3}}));
  const std::vector<double> ticks = log_ticks(low, high);
  CHECK_FALSE(ticks.empty());
  CHECK(ticks.size() <= 10);
  for (const double tick : ticks) CHECK((tick >= low && tick <= high * 1.0001));
}

}  // namespace warpbook::lab::axis_test
