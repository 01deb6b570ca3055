// All-reduce: every device ends with the sum, the ring moves 2 (n - 1) / n S bytes a device, and only to the next one.
#include "training/parallel/all_reduce.hpp"

#include <cstring>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/training/training_lab.hpp"

namespace warpbook::tests::all_reduce_test {

using namespace warpbook;
using namespace warpbook::training;

namespace {

/// A tensor of some floats on each device, other ones on each.
struct Shared {
  Shared(std::size_t devices, std::int64_t count) : lab(training_lab()), cluster(*lab, devices) {
    for (std::size_t i = 0; i < devices; ++i) {
      given.push_back(some_floats(count, static_cast<std::uint32_t>(i + 1)));
      parts.push_back({i, cluster.engine(i).upload("values", {count}, given.back())});
    }
  }
  std::vector<float> values_on(std::size_t device) {
    return cluster.engine(device).download(parts[device].values);
  }
  std::unique_ptr<lab::Lab> lab;
  Cluster cluster;
  std::vector<std::vector<float>> given;
  std::vector<Part> parts;
};

/// The sum of an element as the ring adds it: from the device that first sends its chunk.
float ring_sum(const std::vector<std::vector<float>>& given, std::size_t element,
               std::size_t first) {
  float sum = given[first][element];
  for (std::size_t i = 1; i < given.size(); ++i)
    sum = given[(first + i) % given.size()][element] + sum;
  return sum;
}

}  // namespace

TEST_CASE(
    "all-reduce: after a ring every device has the sum, added from the chunk's first sender on") {
  const auto devices = GENERATE(as<std::size_t>{}, 1, 2, 3, 4, 8);
  const auto count = GENERATE(as<std::int64_t>{}, 1, 7, 64, 1000);
  CAPTURE(devices, count);
  Shared shared(devices, count);
  ring_all_reduce(shared.cluster, shared.parts);
  std::vector<float> expected;
  for (std::size_t chunk = 0; chunk < devices; ++chunk) {
    for (auto i = chunk_begin(count, chunk, devices); i < chunk_begin(count, chunk + 1, devices);
         ++i)
      expected.push_back(ring_sum(shared.given, static_cast<std::size_t>(i), chunk));
  }
  for (std::size_t i = 0; i < devices; ++i) {
    CAPTURE(i);
    CHECK(shared.values_on(i) == expected);
  }
}

TEST_CASE(
    "all-reduce: a ring's device sends 2 (n - 1) / n of the bytes, all of them to the next one") {
  const auto devices = GENERATE(as<std::size_t>{}, 2, 3, 4, 8);
  const std::int64_t count = 24 * 5;  // as many chunks as any of them wants
  Shared shared(devices, count);
  ring_all_reduce(shared.cluster, shared.parts);
  const std::uint64_t bytes = 4 * static_cast<std::uint64_t>(count);
  REQUIRE(shared.cluster.traffic().size() == devices);
  for (std::size_t i = 0; i < devices; ++i) {
    const Traffic expected{2 * (devices - 1) * bytes / devices, 2 * (devices - 1)};
    CHECK(shared.cluster.traffic().at({i, (i + 1) % devices}) == expected);
  }
}

TEST_CASE("all-reduce: a star adds in the devices' order, and all bytes go through its middle") {
  const std::size_t devices = 4;
  const std::int64_t count = 100;
  Shared shared(devices, count);
  star_all_reduce(shared.cluster, shared.parts);
  std::vector<float> expected;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    expected.push_back(((shared.given[0][i] + shared.given[1][i]) + shared.given[2][i]) +
                       shared.given[3][i]);
  for (std::size_t i = 0; i < devices; ++i) CHECK(shared.values_on(i) == expected);
  CHECK(bytes_sent(shared.cluster.traffic(), 0) == 3 * 400);
  CHECK(bytes_sent(shared.cluster.traffic(), 2) == 400);
}

TEST_CASE("all-reduce: whole numbers add up, too") {
  const auto lab = training_lab();
  Cluster cluster(*lab, 2);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<std::int32_t> value{static_cast<std::int32_t>(i) + 20};
    parts.push_back({i, cluster.engine(i).upload("hits", {1}, std::span(value))});
  }
  ring_all_reduce(cluster, parts);
  for (const Part& part : parts)
    CHECK(cluster.engine(part.device).download<std::int32_t>(part.values) ==
          std::vector<std::int32_t>{41});
}

TEST_CASE("cluster: a device's memory is its own") {
  const auto lab = training_lab();
  Cluster cluster(*lab, 2);
  const Tensor mine = cluster.engine(0).upload("x", {2}, {1, 2});
  const Tensor yours = cluster.engine(1).upload("x", {2}, {3, 4});
  cluster.copy(0, mine.sliced(0, 0, 1), 1, yours.sliced(0, 1, 2));
  cluster.arrive();
  CHECK(cluster.engine(0).download(mine) == std::vector<float>{1, 2});
  CHECK(cluster.engine(1).download(yours) == std::vector<float>{3, 1});
}

}  // namespace warpbook::tests::all_reduce_test
