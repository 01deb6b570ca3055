#include "device/measure.hpp"
#include "tests/keyed.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::measure_test {

using namespace warpbook::device;

TEST_CASE("A timing is the median with its band, and the minimum") {
  const Timing t = timing_of({5, 1, 4, 2, 3, 6});
  CHECK(t.median == 3.5);
  CHECK(t.p20 == 2);
  CHECK(t.p80 == 5);
  CHECK(t.minimum == 1);
  CHECK(t.samples == 6);
  CHECK(timing_of({7}).median == 7);
}

TEST_CASE("A band of more than half of its lower end is unsteady") {
  CHECK(is_unsteady(1, 1.51));
  CHECK_FALSE(is_unsteady(1, 1.5));
  CHECK_FALSE(is_unsteady(0, 0));
}

TEST_CASE("Each is warmed up three times at least, then they are sampled in turns") {
  std::string order;
  const std::vector<Sample> both{[&]() -> Expected<double> {
                                   order += 'a';
                                   return 0.4;
                                 },
                                 [&]() -> Expected<double> {
                                   order += 'b';
                                   return 0.4;
                                 }};
  const auto timings = measure(both, {0, 0.005, 1.0});
  REQUIRE(timings);
  // Three warm runs each; then turns, until each has been measured for a second.
  CHECK(order == "aaabbbababab");
  CHECK(timings->at(0).samples == 3);
}

TEST_CASE("What is short is warmed up for its 25 ms, and what stands still is measured no longer") {
  int runs = 0;
  const auto timings = measure({[&]() -> Expected<double> {
                                 ++runs;
                                 return 0.001;
                               }},
                               {});
  REQUIRE(timings);
  CHECK(timings->front().samples == 5);
  CHECK(runs >= 25 + 5);
  CHECK(runs <= 26 + 5);
}

TEST_CASE("What wobbles is measured for as long as it may") {
  int runs = 0;
  const auto timings = measure(
      {[&]() -> Expected<double> { return ++runs % 2 == 0 ? 0.01 : 0.03; }}, {0, 0.005, 1.0});
  REQUIRE(timings);
  CHECK(timings->front().samples >= 50);
  CHECK(timings->front().p20 == 0.01);
  CHECK(timings->front().p80 == 0.03);
}

TEST_CASE("A run that fails ends the measurement with its error") {
  const auto timings = measure(
      {[]() -> Expected<double> {
        return device::failure(device::ErrorCode::driver_failed, {{"call", "x"}, {"status", "y"}});
      }},
      {});
  REQUIRE_FALSE(timings);
  CHECK(warpbook::tests::keyed(timings.error()) == "driver_failed(call=x, status=y)");
}

TEST_CASE("The numbers that are timed are repeatable, and of both signs") {
  const auto numbers = some_numbers(1000);
  CHECK(numbers == some_numbers(1000));
  int below = 0;
  for (const float number : numbers) {
    CHECK((number >= -1 && number <= 1));
    below += number < 0;
  }
  CHECK(below > 400);
  CHECK(below < 600);
}

}  // namespace warpbook::tests::measure_test
