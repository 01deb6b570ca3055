// Generated data: as many of each label, the same for the same seed, and within its bounds.
#include "training/data.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::data_test {

using namespace warpbook::training;

namespace {

void check_balance(const Dataset& data, std::int64_t each) {
  for (std::int32_t label = 0; label < data.classes; ++label)
    CHECK(std::ranges::count(data.labels, label) == each);
  CHECK(static_cast<std::int64_t>(data.samples.size()) == data.count() * count_of(data.sample));
  CHECK_FALSE(std::ranges::is_sorted(data.labels));
}

}  // namespace

TEST_CASE("data: every label is there equally often, and in no order") {
  check_balance(spiral(300, 3, 0.2, 1), 100);
  check_balance(circles(200, 0.1, 1), 100);
  check_balance(shapes(100, 1), 10);
}

TEST_CASE("data: the same seed gives the same, another one something else") {
  CHECK(shapes(20, 5).samples == shapes(20, 5).samples);
  CHECK(shapes(20, 5).samples != shapes(20, 6).samples);
  CHECK(spiral(30, 3, 0.2, 5).samples == spiral(30, 3, 0.2, 5).samples);
  CHECK(circles(30, 0.1, 5).samples != circles(30, 0.1, 6).samples);
}

TEST_CASE("data: without noise the circles have the radii 1 and 0.5") {
  const Dataset data = circles(40, 0, 3);
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    const double radius = std::hypot(data.samples[2 * i], data.samples[2 * i + 1]);
    CHECK(std::abs(radius - (data.labels[i] == 0 ? 1 : 0.5)) < 1e-6);
  }
}

TEST_CASE("data: images have values from -1 to 1, and two colours that differ") {
  const Dataset data = shapes(10, 2);
  CHECK(std::ranges::all_of(data.samples, [](float value) { return std::abs(value) <= 1; }));
  const std::size_t image = 3 * 32 * 32;
  for (std::size_t begin = 0; begin < data.samples.size(); begin += image) {
    const auto first = data.samples.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto [least, most] =
        std::minmax_element(first, first + static_cast<std::ptrdiff_t>(image));
    CHECK(*most - *least > 0.3f);
  }
}

TEST_CASE("data: the first images are the same without those behind them") {
  const Dataset all = shapes(300, 5), first = first_shapes(7, 300, 5);
  REQUIRE(first.count() == 7);
  CHECK(std::ranges::equal(first.labels, std::span(all.labels).first(7)));
  CHECK(std::ranges::equal(first.samples, std::span(all.samples).first(first.samples.size())));
}

TEST_CASE("data: random labels leave the samples as they are") {
  const Dataset data = shapes(100, 1), random = with_random_labels(data, 9);
  CHECK(random.samples == data.samples);
  CHECK(random.labels != data.labels);
  CHECK(std::ranges::all_of(random.labels,
                            [](std::int32_t label) { return label >= 0 && label < 10; }));
}

}  // namespace warpbook::tests::data_test
