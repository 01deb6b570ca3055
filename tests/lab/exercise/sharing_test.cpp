// How evenly a launch's work is shared.
#include "lab/exercise/sharing.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::sharing_test {

using namespace lab;

namespace {

constexpr std::uint64_t kInput = 4096, kOther = 8192;

/// Two blocks of four threads, which may read 16 words of an input.
device::LaunchRecord launch() {
  device::LaunchRecord record;
  record.grid = {2, 1, 1};
  record.block = {4, 1, 1};
  record.allocations = {{"value", kInput, 64, device::ElementType::i32},
                        {"other", kOther, 64, device::ElementType::i32}};
  return record;
}

void read(device::LaunchRecord& record, std::uint32_t block, std::uint32_t thread,
          std::uint64_t address, device::AccessKind kind = device::AccessKind::load) {
  device::Access access;
  access.address = address;
  access.bytes = 4;
  access.block = block;
  access.thread = thread;
  access.kind = kind;
  record.trace.push_back(access);
}

}  // namespace

TEST_CASE("Threads that read as much as each other count, and those that read nothing do not") {
  device::LaunchRecord record = launch();
  for (std::uint32_t thread = 0; thread < 3; ++thread) read(record, 1, thread, kInput + 4 * thread);
  CHECK(readers_of(record, "value") == Catch::Approx(3));
}

TEST_CASE("Who reads for others counts as one, and they do not") {
  device::LaunchRecord record = launch();
  for (std::uint32_t word = 0; word < 8; ++word) read(record, 0, word % 2, kInput + 4 * word);
  CHECK(readers_of(record, "value") == Catch::Approx(2));
}

TEST_CASE("Only loads of the array itself are its readers'") {
  device::LaunchRecord record = launch();
  read(record, 0, 0, kOther);
  read(record, 0, 1, kInput, device::AccessKind::store);
  read(record, 0, 2, kInput + 64);
  read(record, 0, 3, kInput - 4);
  CHECK(readers_of(record, "value") == 0);
  CHECK(readers_of(record, "nowhere") == 0);
}

}  // namespace warpbook::tests::sharing_test
