// What a launch stored, from its trace and the memory as it left it.
#include "lab/exercise/kernel_stores.hpp"

#include <array>
#include <span>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::kernel_stores_test {

using namespace lab;

namespace {

device::Access access(std::uint64_t address, std::uint8_t bytes, device::AccessKind kind,
                      device::Space space = device::Space::global) {
  device::Access made;
  made.address = address;
  made.bytes = bytes;
  made.kind = kind;
  made.space = space;
  return made;
}

/// Sixteen bytes of which byte k is k, and what a launch with this trace stored to them.
KernelStores stored(const std::vector<device::Access>& at_offsets) {
  device::GlobalMemory memory(1u << 20);
  const device::Pointer place = *memory.allocate("x", device::ElementType::u8, 16);
  std::array<std::byte, 16> bytes;
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::byte>(k);
  REQUIRE(memory.write(place, bytes));
  device::LaunchRecord record;
  record.trace = at_offsets;
  for (device::Access& one : record.trace) one.address += place;
  KernelStores stores = stores_of({}, record, memory);
  for (StoredRun& run : stores.runs) run.address -= place;
  return stores;
}

constexpr auto kLoad = device::AccessKind::load, kStore = device::AccessKind::store,
               kAtomic = device::AccessKind::atomic;

}  // namespace

TEST_CASE("Stores that touch or overlap are one run, whoever made them and in whatever order") {
  const KernelStores stores =
      stored({access(8, 4, kStore), access(0, 4, kStore), access(4, 4, kAtomic),
              access(2, 4, kStore), access(14, 1, kStore)});
  REQUIRE(stores.runs.size() == 2);
  CHECK(stores.runs[0].address == 0);
  REQUIRE(stores.runs[0].bytes.size() == 12);
  CHECK(stores.runs[0].bytes[11] == std::byte{11});
  CHECK(stores.runs[1].address == 14);
  CHECK(stores.runs[1].bytes == std::vector{std::byte{14}});
}

TEST_CASE("A byte counts as often as it is stored, and what is only loaded is used, too") {
  const KernelStores stores =
      stored({access(0, 4, kStore), access(0, 4, kStore), access(8, 4, kLoad),
              access(12, 4, kStore, device::Space::shared)});
  CHECK(stores.bytes == 8);
  REQUIRE(stores.used.size() == 2);
  CHECK(stores.used[0].end - stores.used[0].begin == 4);
  CHECK(stores.used[1].begin - stores.used[0].begin == 8);
}

TEST_CASE("Loads, and stores to other memory than global, leave no run") {
  CHECK(stored({access(0, 4, kLoad), access(4, 4, kStore, device::Space::shared)}).runs.empty());
}

TEST_CASE(
    "What kernels allocate counts as kept until one of them frees it, and memory of the host does "
    "not") {
  device::GlobalMemory memory(1u << 20);
  REQUIRE(memory.allocate("x", device::ElementType::u8, 64));
  CHECK(stores_of({}, {}, memory).kept_bytes == 0);
  const device::AllocationKind heap = device::AllocationKind::heap;
  const device::Pointer freed = *memory.allocate("", device::ElementType::u8, 16, heap);
  REQUIRE(memory.allocate("", device::ElementType::u8, 24, heap));
  CHECK(stores_of({}, {}, memory).kept_bytes == 40);
  REQUIRE(memory.release(freed, "free", heap));
  CHECK(stores_of({}, {}, memory).kept_bytes == 24);
}

TEST_CASE(
    "Of what several launches store to a place, the last is left, in the order of their calls") {
  const auto run = [](std::uint64_t address, std::initializer_list<int> values) {
    StoredRun made{address, {}};
    for (const int value : values) made.bytes.push_back(static_cast<std::byte>(value));
    return made;
  };
  const std::vector<StoredRun> left =
      left_by({{7, {run(16, {1, 2, 3})}}, {5, {run(18, {9, 4}), run(30, {6})}}});
  REQUIRE(left.size() == 2);
  CHECK(left[0].address == 16);
  CHECK(left[0].bytes == run(16, {1, 2, 3, 4}).bytes);
  CHECK(left[1].address == 30);
}

TEST_CASE("Numbers are found in order, as whatever type was stored, and not out of order") {
  const auto run_of = [](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return std::vector{StoredRun{16, {bytes.begin(), bytes.end()}}};
  };
  const std::vector<std::int64_t> numbers{7, -5, 7};
  CHECK(hold_in_order(run_of(std::array<std::int32_t, 4>{1, 7, -5, 7}), numbers));
  CHECK(hold_in_order(run_of(std::array<std::int64_t, 3>{7, -5, 7}), numbers));
  CHECK(hold_in_order(run_of(std::array<std::int16_t, 3>{7, -5, 7}), numbers));
  CHECK(hold_in_order(run_of(std::array<float, 3>{7, -5, 7}), numbers));
  CHECK(hold_in_order(run_of(std::array<double, 3>{7, -5, 7}), numbers));
  CHECK_FALSE(hold_in_order(run_of(std::array<std::int32_t, 4>{7, 7, -5, 1}), numbers));
  CHECK_FALSE(hold_in_order({}, numbers));
}

TEST_CASE("Runs hold most numbers if they hold more than half of the different ones") {
  const std::array<std::int32_t, 3> values{1, 2, 9};
  const auto bytes = std::as_bytes(std::span(values));
  const std::vector<StoredRun> runs{{16, {bytes.begin(), bytes.end()}}};
  CHECK(hold_most(runs, {1, 2, 3}));
  CHECK_FALSE(hold_most(runs, {1, 2, 3, 4}));
  CHECK_FALSE(hold_most(runs, {1, 1, 1, 3, 4}));
}

TEST_CASE("Numbers are found as whatever type was stored, and as often as they occur") {
  const auto run_of = [](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return StoredRun{16, {bytes.begin(), bytes.end()}};
  };
  const std::vector<std::int64_t> numbers{7, -5, 7};
  CHECK(first_not_held(numbers, {run_of(std::array<std::int32_t, 3>{7, 7, -5})}) == 3);
  CHECK(first_not_held(numbers, {run_of(std::array<std::int64_t, 3>{7, 7, -5})}) == 3);
  CHECK(first_not_held(numbers, {run_of(std::array<double, 3>{7, -5, 7})}) == 3);
  CHECK(first_not_held(
            numbers, {run_of(std::array<float, 2>{7, -5}), run_of(std::array<float, 1>{7})}) == 3);
  CHECK(first_not_held(numbers, {run_of(std::array<float, 3>{7, -5, 7.5})}) == 2);
  CHECK(first_not_held(numbers, {run_of(std::array<std::int32_t, 1>{7})}) == 1);
  CHECK(first_not_held(numbers, {}) == 0);
}

TEST_CASE("Each thread that calls malloc allocates") {
  device::GlobalMemory memory(1u << 20);
  device::LaunchRecord record;
  for (const char* text : {"call.uni (retval0), malloc, (param0);", "call.uni free, (param0);",
                           "ld.global.u32 %r1, [malloc];"}) {
    record.instructions.push_back({});
    record.instructions.back().text = text;
    record.instructions.back().counters.thread_instructions = 33;
  }
  CHECK(stores_of({}, record, memory).allocations == 33);
}

}  // namespace warpbook::tests::kernel_stores_test
