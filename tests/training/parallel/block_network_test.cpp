// A network cut up by data, tensor and pipeline: its gradients are one device's, and it copies what the formulae say.
#include "training/parallel/block_network.hpp"

#include <algorithm>
#include <cmath>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "tests/training/training_lab.hpp"
#include "training/parallel/estimate.hpp"

namespace warpbook::tests::block_network_test {

using namespace warpbook;
using namespace warpbook::training;
using Catch::Matchers::WithinRel;
using Gradients = std::map<std::string, std::vector<float>>;

namespace {

constexpr BlockShape kShape{4, 8, 16, 16};

struct Run {
  explicit Run(const BlockPlan& plan)
      : lab(training_lab()), cluster(*lab, plan.split.devices()), training(cluster, plan, 1) {
    training.compute();
  }
  std::unique_ptr<lab::Lab> lab;
  Cluster cluster;
  BlockTraining training;
};

Gradients gradients_of(const BlockPlan& plan) { return Run(plan).training.gradients(0); }

/// The largest difference, as a part of the largest gradient.
double distance(const Gradients& a, const Gradients& b) {
  double worst = 0, largest = 0;
  REQUIRE(a.size() == b.size());
  for (const auto& [name, values] : a) {
    const std::vector<float>& others = b.at(name);
    REQUIRE(values.size() == others.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(values[i])));
      worst = std::max(worst,
                       std::abs(static_cast<double>(values[i]) - static_cast<double>(others[i])));
    }
  }
  return worst / largest;
}

std::uint64_t sent(const BlockTraining& training, Purpose purpose, std::size_t device) {
  const auto found = training.traffic().find(purpose);
  return found == training.traffic().end() ? 0 : bytes_sent(found->second, device);
}

}  // namespace

TEST_CASE(
    "block network: a pipeline has the bits of one device that adds up the same micro-batches") {
  const auto micro_batches = GENERATE(as<std::size_t>{}, 1, 4);
  const auto schedule = GENERATE(Schedule::gpipe, Schedule::one_f_one_b);
  const auto stages = GENERATE(as<std::size_t>{}, 2, 4);
  CAPTURE(micro_batches, schedule, stages);
  const Gradients one = gradients_of({kShape, {1, 1, 1}, micro_batches});
  CHECK(gradients_of({kShape, {1, 1, stages}, micro_batches, schedule}) == one);
}

TEST_CASE(
    "block network: groups that add up in order have the bits of one device's micro-batches") {
  const Gradients one = gradients_of({kShape, {1, 1, 1}, 4});
  CHECK(gradients_of({kShape, {4, 1, 1}, 1, Schedule::gpipe, Exchange::star}) == one);
  // Around a ring, each chunk's sum begins at another device: other roundings, and no larger ones.
  const Gradients ring = gradients_of({kShape, {4, 1, 1}, 1});
  CHECK(ring != one);
  CHECK(distance(ring, one) < 8 * 0x1p-24);
}

TEST_CASE(
    "block network: however it is cut up, gradients and loss are one device's within rounding") {
  const auto split = GENERATE(Split{1, 2, 1}, Split{1, 4, 1}, Split{2, 2, 1}, Split{2, 1, 2},
                              Split{1, 2, 2}, Split{2, 2, 2});
  CAPTURE(split.data, split.tensor, split.pipeline);
  Run one({kShape, {1, 1, 1}, 1}), many({kShape, split, 2});
  for (std::size_t group = 0; group < split.data; ++group)
    CHECK(distance(many.training.gradients(group), one.training.gradients(0)) < 64 * 0x1p-24);
  CHECK(many.training.groups_agree());
  CHECK_THAT(many.training.loss(), WithinRel(one.training.loss(), 1e-5));
}

TEST_CASE("block network: steps of gradient descent lower the loss, on eight devices as on one") {
  Run one({kShape, {1, 1, 1}, 1}), many({kShape, {2, 2, 2}, 2});
  const double first = one.training.loss();
  for (int step = 0; step < 3; ++step) {
    for (Run* run : {&one, &many}) {
      run->training.update(0.5);
      run->training.compute();
    }
  }
  CHECK(one.training.loss() < first);
  CHECK_THAT(many.training.loss(), WithinRel(one.training.loss(), 1e-4));
}

TEST_CASE("block network: each device sends what the formulae say, for each purpose") {
  const auto split = GENERATE(Split{4, 1, 1}, Split{1, 4, 1}, Split{1, 1, 4}, Split{2, 2, 2});
  const auto micro_batches = GENERATE(as<std::size_t>{}, 1, 4);
  CAPTURE(split.data, split.tensor, split.pipeline, micro_batches);
  const BlockPlan plan{kShape, split, micro_batches};
  Run run(plan);
  const SentBytes expected = sent_bytes(plan);
  // A device of a middle stage, where there is one.
  const std::size_t device = split.device(0, split.pipeline > 2 ? 1 : 0, 0);
  const auto of = [&](Purpose purpose) {
    return static_cast<double>(sent(run.training, purpose, device));
  };
  // Nothing of the first block's gradient is needed before the first stage, so its sum is left out.
  const double spared = device == 0 ? 1.0 / (2.0 * 4 / static_cast<double>(split.pipeline)) : 0;
  CHECK_THAT(1 + of(Purpose::gradients), WithinRel(1 + expected.gradients, 0.02));
  CHECK_THAT(1 + of(Purpose::sums), WithinRel(1 + expected.sums * (1 - spared), 1e-9));
  CHECK_THAT(1 + of(Purpose::activations), WithinRel(1 + expected.activations, 1e-9));
}

TEST_CASE("block network: 1F1B keeps fewer micro-batches, and so its peak of memory is lower") {
  const auto peak = [](Schedule schedule) {
    const auto lab = training_lab();
    Cluster cluster(*lab, 2);
    BlockTraining training(cluster, {kShape, {1, 1, 2}, 8, schedule}, 1);
    cluster.engine(0).observe({});
    training.compute();
    CHECK(training.most_kept(0) == most_kept(schedule, 0, 2, 8));
    return cluster.engine(0).memory_use().peak_bytes;
  };
  const std::uint64_t gpipe = peak(Schedule::gpipe), one_f_one_b = peak(Schedule::one_f_one_b);
  CHECK(one_f_one_b < gpipe);
}

TEST_CASE("block network: the devices of a stage share its weights") {
  Run run({kShape, {1, 2, 2}, 1});
  const std::int64_t half_a_block = 2 * 8 * 8 + 8 + 8;
  for (std::size_t device = 0; device < 4; ++device)
    CHECK(run.training.parameters_of(device) == 2 * half_a_block);
}

}  // namespace warpbook::tests::block_network_test
