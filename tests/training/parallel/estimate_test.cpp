// Estimates: links, and what a split of a large network costs.
#include "training/parallel/estimate.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace warpbook::tests::estimate_split_test {

using namespace warpbook;
using namespace warpbook::training;
using Catch::Matchers::WithinRel;

namespace {

/// 8 blocks of 8,192 and 32,768: 4.3 G weights.
constexpr BlockShape kLarge{8, 8192, 32768, 4096};

Machines one_machine(std::string_view link) {
  const Link* found = *find_link(link);
  return {device::find_gpu("h200"), 8, found, found};
}

}  // namespace

TEST_CASE("links: a long message takes its bytes by four fifths of the rate, within its band") {
  const Link& nvlink = **find_link("nvlink-4");
  const Duration time = message_time(nvlink, 36e9);
  CHECK_THAT(time.seconds, WithinRel(0.1, 1e-3));
  CHECK(time.low < time.seconds);
  CHECK(time.seconds < time.high);
  CHECK_FALSE(find_link("string"));
}

TEST_CASE(
    "links: a ring takes as long as 2 (n - 1) messages of an n-th, and a star n times as long") {
  const Link& pcie = **find_link("pcie-5");
  const Duration ring = ring_time(pcie, 8, 8e9), star = star_time(pcie, 8, 8e9);
  CHECK_THAT(ring.seconds, WithinRel(14 * message_time(pcie, 1e9).seconds, 1e-9));
  CHECK_THAT(star.seconds / ring.seconds, WithinRel(8, 1e-2));
  CHECK(ring_time(pcie, 1, 8e9).seconds == 0);
}

TEST_CASE(
    "estimate: a device computes 6 operations for each weight and row, at four fifths of its "
    "rate") {
  const SplitEstimate one = estimate_split({kLarge, {1, 1, 1}, 1}, one_machine("nvlink-4"));
  // 67 TFLOP/s of an H200.
  CHECK_THAT(one.compute.seconds, WithinRel(6 * 4.296e9 * 4096 / (0.8 * 66.9e12), 0.01));
  CHECK(one.gradients.seconds == 0);
  CHECK(one.waits.seconds == 0);
}

TEST_CASE("estimate: the bubble is (P - 1) / (M + P - 1) where sending takes no time to speak of") {
  const auto micro_batches = GENERATE(as<std::size_t>{}, 1, 4, 16);
  const SplitEstimate split =
      estimate_split({kLarge, {1, 1, 4}, micro_batches}, one_machine("nvlink-5"));
  const double expected = 3.0 / (static_cast<double>(micro_batches) + 3);
  CHECK_THAT(split.bubble, WithinRel(expected, 0.02));
}

TEST_CASE("estimate: 1F1B takes as long as GPipe and keeps fewer results") {
  const auto of = [](Schedule schedule) {
    return estimate_split({kLarge, {1, 1, 4}, 16, schedule}, one_machine("nvlink-4"));
  };
  const SplitEstimate gpipe = of(Schedule::gpipe), one_f_one_b = of(Schedule::one_f_one_b);
  CHECK_THAT(one_f_one_b.total.seconds, WithinRel(gpipe.total.seconds, 0.01));
  CHECK_THAT(gpipe.memory.activations / one_f_one_b.memory.activations, WithinRel(4, 1e-9));
}

TEST_CASE("estimate: a split divides weights by T P, and only the data's groups do not") {
  const auto of = [](const Split& split) {
    return estimate_split({kLarge, split, 1}, one_machine("nvlink-4")).memory.weights;
  };
  const double whole = of({1, 1, 1});
  CHECK(of({8, 1, 1}) == whole);
  CHECK_THAT(of({1, 1, 8}), WithinRel(whole / 8, 1e-9));
  CHECK_THAT(of({1, 8, 1}), WithinRel(whole / 8, 2e-4));
}

TEST_CASE("estimate: a group that reaches into another machine exchanges by the outer link") {
  Machines two = one_machine("nvlink-4");
  two.devices_each = 4;
  two.outer = *find_link("ethernet");
  const SplitEstimate inside = estimate_split({kLarge, {1, 4, 2}, 4}, two),
                      across = estimate_split({kLarge, {1, 8, 1}, 4}, two);
  CHECK(across.sums.seconds > 10 * inside.sums.seconds);
}

}  // namespace warpbook::tests::estimate_split_test
