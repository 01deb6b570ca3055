// Data parallel: the gradients and steps of several devices are one device's.
#include "training/parallel/data_parallel.hpp"

#include <cmath>
#include <map>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "tests/training/training_lab.hpp"

namespace warpbook::tests::data_parallel_test {

using namespace warpbook;
using namespace warpbook::training;
using Catch::Matchers::WithinAbs;

namespace {

const Preset& preset(const std::string& name) { return **find_preset(name); }

struct Training {
  Training(const std::string& name, std::size_t devices)
      : lab(training_lab()), cluster(*lab, devices), data_parallel(cluster, preset(name), 1) {}
  std::vector<float> sums_of(std::size_t device) {
    Replica& replica = data_parallel.replica(device);
    return replica.engine().download(replica.sums());
  }
  std::vector<float> weights_of(std::size_t device) {
    Replica& replica = data_parallel.replica(device);
    std::vector<float> all;
    for (const Variable& parameter : replica.parameters()) {
      const auto values = replica.engine().download(parameter.value());
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }
  std::unique_ptr<lab::Lab> lab;
  Cluster cluster;
  DataParallel data_parallel;
};

}  // namespace

TEST_CASE("data parallel: loss and gradients are one device's within the rounding of their sums") {
  const std::string name = GENERATE("mlp-10-5-1", "spiral");
  // Of three samples, two devices have one and two; 300 points divide by neither 8 nor 7.
  const auto devices = GENERATE(as<std::size_t>{}, 2, 3, 7, 8);
  if (name == "mlp-10-5-1" && devices > 3) return;
  CAPTURE(name, devices);
  Training one(name, 1), many(name, devices);
  one.data_parallel.compute();
  many.data_parallel.compute();
  const std::vector<float> truth = one.sums_of(0), got = many.sums_of(0);
  REQUIRE(got.size() == truth.size());
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(truth[i])));
    worst = std::max(worst, std::abs(static_cast<double>(got[i]) - static_cast<double>(truth[i])));
  }
  // Sums of up to 300 products, each of them rounded: some units of 2^-24 of the largest.
  CHECK(worst <= 64 * 0x1p-24 * largest);
  for (std::size_t i = 1; i < devices; ++i) CHECK(many.sums_of(i) == got);
}

TEST_CASE("data parallel: after some steps all devices have the same weights, bit for bit") {
  Training many("spiral", 4), one("spiral", 1);
  CurvePoint of_many, of_one;
  for (int step = 0; step < 5; ++step) {
    of_many = many.data_parallel.step();
    of_one = one.data_parallel.step();
  }
  for (std::size_t i = 1; i < 4; ++i) CHECK(many.weights_of(i) == many.weights_of(0));
  CHECK_THAT(of_many.loss, WithinAbs(of_one.loss, 1e-4));
  REQUIRE(of_many.accuracy);
  CHECK_THAT(*of_many.accuracy, WithinAbs(*of_one.accuracy, 0.01));
}

TEST_CASE("data parallel: a device sends 2 (n - 1) / n of the gradients' bytes") {
  const std::size_t devices = 4;
  Training many("spiral", devices);
  many.data_parallel.compute();
  const double numbers =
      static_cast<double>(many.data_parallel.replica(0).sums().count()) + 1;  // and hits
  const double expected = 2.0 * 3 / 4 * 4 * numbers;
  for (std::size_t i = 0; i < devices; ++i) {
    // Chunks differ by an element, and the hits are one element that takes turns.
    CHECK_THAT(static_cast<double>(bytes_sent(many.cluster.traffic(), i)),
               WithinAbs(expected, 4.0 * 2 * devices));
  }
}

TEST_CASE("data parallel: more devices than samples are refused") {
  try {
    Training many("mlp-10-5-1", 4);
    FAIL("it was made");
  } catch (const lab::ExperimentFailed& failed) {
    CHECK(failed.error.code == device::ErrorCode::bad_value);
    CHECK(device::argument_of(failed.error.arguments, "expected")->key ==
          "phrase.training.fewer-rows");
  }
}

}  // namespace warpbook::tests::data_parallel_test
