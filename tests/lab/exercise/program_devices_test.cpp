// Who sent whom how much, and which kernel used memory that is not its device's, from a program's record.
#include "lab/exercise/program_devices.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::lab::program_devices_test {
namespace {

using namespace device::runtime;

constexpr std::uint64_t kBytes = 1000;

std::uint64_t place_on(std::uint32_t device) { return (device + 1) * kBytes; }

/// Three devices with an allocation each, and pinned memory of the host behind them.
ProgramRecord three_devices() {
  ProgramRecord record;
  for (std::uint32_t device = 0; device < 3; ++device)
    record.allocations.push_back(
        {place_on(device), kBytes, MemoryKind::device, device, {}, "", device});
  record.allocations.push_back({place_on(3), kBytes, MemoryKind::pinned, 3, {}, "", 0});
  return record;
}

void copy(ProgramRecord& record, std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
  OperationNote made{.call = 10 + record.operations.size(), .engine = Engine::copy, .bytes = bytes};
  made.footprint = {{{from, from + bytes}}, {{to, to + bytes}}};
  record.operations.push_back(std::move(made));
}

KernelStores launch_on(std::uint32_t device, std::vector<Extent> used) {
  KernelStores made;
  made.call = 20 + device;
  made.used = std::move(used);
  made.device = device;
  return made;
}

Extent all_of(std::uint32_t device) { return {place_on(device), place_on(device) + kBytes}; }

}  // namespace

TEST_CASE("Copies are added up for each pair of devices, and those within one are none") {
  ProgramRecord record = three_devices();
  copy(record, place_on(1), place_on(2), 100);
  copy(record, place_on(0), place_on(1), 40);
  copy(record, place_on(1) + 500, place_on(2) + 100, 60);
  copy(record, place_on(2), place_on(2) + 500, 200);
  copy(record, place_on(3), place_on(0), 300);
  const std::vector<LinkUse> links = links_of(record);
  REQUIRE(links.size() == 2);
  CHECK(links[0].from == 0);
  CHECK(links[0].to == 1);
  CHECK(links[0].bytes == 40);
  CHECK(links[1].from == 1);
  CHECK(links[1].bytes == 160);
  CHECK(links[1].copies == 2);
  CHECK(links[1].call == 10);
}

TEST_CASE("An address belongs to whom it was given when the copy was asked for") {
  ProgramRecord record = three_devices();
  record.allocations[0].freed_by = 5;
  record.allocations.push_back({place_on(0), kBytes, MemoryKind::device, 6, {}, "", 2});
  copy(record, place_on(0), place_on(1), 8);
  REQUIRE(links_of(record).size() == 1);
  CHECK(links_of(record).front().from == 2);
}

TEST_CASE("A kernel reaches out where it uses another device's memory, the host's or nobody's") {
  const ProgramRecord record = three_devices();
  CHECK_FALSE(first_reaching_out(
      record, {launch_on(0, {all_of(0)}), launch_on(2, {all_of(2)}), launch_on(1, {})}));
  for (const Extent& used : {all_of(0), all_of(3), Extent{place_on(7), place_on(8)}})
    CHECK(first_reaching_out(record,
                             {launch_on(0, {all_of(0)}), launch_on(1, {all_of(1), used})}) == 21);
}

TEST_CASE("Work is added up for each device") {
  ProgramRecord record;
  for (const auto& [device, instructions] : {std::pair{0u, 5u}, {2u, 7u}, {0u, 1u}}) {
    LaunchNote& note = record.launches.emplace_back();
    note.device = device;
    note.thread_instructions = instructions;
  }
  CHECK(work_by_device(record, 3) == std::vector<double>{6, 0, 7});
}

}  // namespace warpbook::lab::program_devices_test
