#include "lab/exhibits/accesses/wire_plan.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::lab::wire_plan_test {
namespace {
AccessesExhibit stores(std::uint32_t blocks, std::uint32_t block, std::uint64_t n,
                       auto element_of) {
  AccessesExhibit accesses;
  accesses.grid.x = blocks;
  accesses.block.x = block;
  TensorExhibit out{"out", device::ElementType::i32, {n}, std::vector<std::byte>(n * 4), {}};
  accesses.arrays = {{out, true}};
  for (std::uint32_t t = 0; t < blocks * block; ++t) {
    const std::int64_t element = element_of(t);
    if (element != INT64_MIN)
      accesses.wires.push_back({t / block, t % block, 0, element, device::AccessKind::store, 3});
  }
  return accesses;
}
}  // namespace

TEST_CASE("threads that stored nothing are idle, and each element knows its writer") {
  const auto plan =
      plan_wires(stores(3, 4, 10, [](std::int64_t t) { return t < 10 ? t : INT64_MIN; }), 40, 40);
  REQUIRE(plan.idle.size() == 12);
  CHECK(std::ranges::count(plan.idle, true) == 2);
  CHECK(plan.idle[10]);
  CHECK(plan.idle[11]);
  REQUIRE(plan.writers.size() == 1);
  CHECK(plan.writers[0].size() == 10);
  CHECK(plan.writer_of(0, 7) == 7);
  CHECK(plan.strays == 0);
}

TEST_CASE("a kernel that writes backwards is drawn crossed") {
  const auto plan = plan_wires(stores(1, 8, 8, [](std::int64_t t) { return 7 - t; }), 40, 40);
  REQUIRE(plan.wire_of(0));
  CHECK(plan.wire_of(0)->element == 7);
  CHECK(plan.writer_of(0, 0) == 7);
}

TEST_CASE("stores past the end have columns outside the array and are strays") {
  const auto plan = plan_wires(stores(2, 4, 5, [](std::int64_t t) { return t; }), 40, 40);
  CHECK(plan.strays == 3);
  const auto column = plan.element_column(7);
  REQUIRE(column);
  CHECK(plan.elements[*column].outside);
  CHECK_FALSE(plan.elements[*plan.element_column(4)].outside);
}

TEST_CASE("stores before the beginning stand before the array") {
  const auto plan = plan_wires(stores(1, 4, 4, [](std::int64_t t) { return t - 1; }), 40, 40);
  REQUIRE(plan.element_column(-1));
  CHECK(*plan.element_column(-1) == 0);
  CHECK(plan.elements.front().outside);
}

TEST_CASE("many threads are folded: the ends stay, the gap says how many are left out") {
  const auto plan = plan_wires(
      stores(4, 256, 1000, [](std::int64_t t) { return t < 1000 ? t : INT64_MIN; }), 28, 28);
  CHECK(plan.threads.size() == 28);
  CHECK(plan.elements.size() == 28);
  CHECK(plan.threads.front().index == 0);
  CHECK(plan.threads.back().index == 1023);
  // The edge between the last thread that works and the first idle one is kept.
  CHECK(plan.thread_column(999));
  CHECK(plan.thread_column(1000));
  CHECK_FALSE(plan.thread_column(500));
  std::int64_t shown = 0;
  for (const auto& column : plan.threads) shown += column.gap ? column.index : 1;
  CHECK(shown == 1024);
}

TEST_CASE("an empty trace leaves every thread idle and no wire") {
  const auto plan = plan_wires(stores(1, 4, 4, [](std::int64_t) { return INT64_MIN; }), 40, 40);
  CHECK(plan.wires.empty());
  CHECK(std::ranges::count(plan.idle, true) == 4);
  CHECK(plan.wire_of(2) == nullptr);
}

TEST_CASE(
    "of a launch of more threads than are drawn the first blocks are shown, and no more are read") {
  device::LaunchRecord record;
  record.block = {256, 1, 1};
  record.grid = {1u << 20, 1u << 10, 4};
  AccessesExhibit exhibit = accesses_of(record, {});
  CHECK(exhibit.cut);
  CHECK(exhibit.grid == device::Dim3{1u << 19, 1, 1});
  CHECK(valid(exhibit));
  CHECK(plan_wires(exhibit, 64, 64).threads.size() <= 64);
  ++exhibit.grid.x;
  CHECK_FALSE(valid(exhibit));
  record.grid = {1u << 10, 1u << 9, 1};
  CHECK(accesses_of(record, {}).grid == record.grid);
  CHECK_FALSE(accesses_of(record, {}).cut);
}

}  // namespace warpbook::lab::wire_plan_test
