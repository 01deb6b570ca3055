// Until somebody waits for a copy to the host, the host sees what was there before.
#include "device/runtime/late_copies.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::late_copies_test {

using namespace device;
using namespace device::runtime;

namespace {

/// Memory of the host with four bytes, and copies that bring one byte each.
class Host {
 public:
  Host() { write(0, 4, std::byte{0}); }
  void copy(std::uint32_t stream, std::size_t operation, std::uint64_t at, std::byte brought) {
    const auto old = held_rows(memory_, {{place_ + at, place_ + at + 1}});
    write(at, 1, brought);
    copies.hold(memory_, stream, operation, old);
  }
  void arrive(const StreamOrder::Past& past) { copies.arrive(memory_, past); }
  void free(std::uint64_t at) { copies.forget(place_ + at, place_ + at + 1); }
  [[nodiscard]] std::vector<std::byte> bytes() const {
    std::vector<std::byte> all(4);
    REQUIRE(memory_.read(place_, all));
    return all;
  }
  LateCopies copies;

 private:
  void write(std::uint64_t at, std::uint64_t count, std::byte value) {
    REQUIRE(memory_.write(place_ + at, std::vector(count, value)));
  }
  GlobalMemory memory_{1u << 20};
  Pointer place_ = *memory_.allocate("host", ElementType::u8, 4);
};

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
  std::vector<std::byte> all;
  for (const unsigned value : values) all.push_back(std::byte(value));
  return all;
}

}  // namespace

TEST_CASE("A copy is seen once it is over for certain, and its target is as it was until then") {
  Host host;
  host.copy(1, 0, 0, std::byte{7});
  host.copy(2, 1, 1, std::byte{8});
  host.copy(1, 2, 2, std::byte{9});
  CHECK(host.bytes() == bytes({0, 0, 0, 0}));
  host.arrive({{1, 0}});
  CHECK(host.bytes() == bytes({7, 0, 0, 0}));
  host.arrive({{1, 2}});
  CHECK(host.bytes() == bytes({7, 0, 9, 0}));
  host.arrive({{1, 2}, {2, 1}});
  CHECK(host.bytes() == bytes({7, 8, 9, 0}));
}

TEST_CASE("Copies to one place arrive in their order") {
  Host host;
  host.copy(1, 0, 0, std::byte{7});
  host.copy(1, 1, 0, std::byte{8});
  host.arrive({{1, 1}});
  CHECK(host.bytes() == bytes({8, 0, 0, 0}));
}

TEST_CASE("Nothing arrives in memory that was freed") {
  Host host;
  host.copy(1, 0, 0, std::byte{7});
  host.copy(1, 1, 1, std::byte{8});
  host.free(0);
  host.arrive({{1, 1}});
  CHECK(host.bytes() == bytes({0, 8, 0, 0}));
}

}  // namespace warpbook::tests::late_copies_test
