// What is certain to be over when an operation begins follows from CUDA's rules for streams and events (CUDA C++ Programming Guide,
// "Asynchronous Concurrent Execution").
#include "device/runtime/stream_order.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::stream_order_test {

using namespace device::runtime;
using Past = StreamOrder::Past;

namespace {

/// Operations that each write and read what they are told to.
class Asked {
 public:
  void add(std::uint32_t stream, Footprint footprint) {
    streams_.push_back(stream);
    pasts_.push_back(order.add(stream));
    footprints_.push_back(std::move(footprint));
  }
  std::vector<StreamRace> races() const {
    std::vector<OrderedOperation> operations;
    for (std::size_t i = 0; i < streams_.size(); ++i)
      operations.push_back({streams_[i], &pasts_[i], &footprints_[i]});
    return stream_races(operations);
  }
  StreamOrder order;

 private:
  std::vector<std::uint32_t> streams_;
  std::vector<Past> pasts_;
  std::vector<Footprint> footprints_;
};

const Footprint kWrites{{}, {{0, 64}}}, kReads{{{32, 128}}, {}}, kElsewhere{{}, {{128, 256}}};

}  // namespace

TEST_CASE("Operations of one stream are in order, and those of two are not") {
  StreamOrder order;
  CHECK(order.add(1).empty());
  CHECK(order.add(2).empty());
  CHECK(order.add(1) == Past{{1, 0}});
}

TEST_CASE("A stream that waits for an event comes after what the event stands for, and no more") {
  StreamOrder order;
  (void)order.add(1);
  order.record_event(7, 1);
  (void)order.add(1);
  order.wait_for_event(2, 7);
  order.wait_for_event(2, 8);  // never recorded
  CHECK(order.add(2) == Past{{1, 0}});
}

TEST_CASE(
    "The legacy default stream comes after blocking streams and before them, and independent "
    "streams do without it") {
  StreamOrder order;
  order.make_independent(2);
  (void)order.add(1);
  (void)order.add(2);
  CHECK(order.add(0) == Past{{1, 0}});
  CHECK(order.add(1) == Past{{0, 2}, {1, 0}});
  CHECK(order.add(2) == Past{{2, 1}});
}

TEST_CASE("What the host has waited for is over for all that it asks for later") {
  StreamOrder order;
  (void)order.add(1);
  order.host_waits(1);
  (void)order.add(2);
  CHECK(order.add(3) == Past{{1, 0}});
  // What was asked for before the host waited does not come after that.
  const Past asked_before = order.host();
  order.host_waits_for_all();
  StreamOrder other = order;
  CHECK(other.add(4, asked_before) == Past{{1, 0}});
  CHECK(order.add(4) == Past{{1, 0}, {2, 1}, {3, 2}});
  order.record_event(1, 4);
  order.host_waits_for_event(1);
  CHECK(order.add(5) == Past{{1, 0}, {2, 1}, {3, 2}, {4, 3}});
}

TEST_CASE("Two operations without an order race where one writes what the other uses") {
  Asked asked;
  asked.add(1, kWrites);
  asked.add(2, kReads);
  asked.add(3, kReads);
  asked.add(2, kElsewhere);
  const auto races = asked.races();
  REQUIRE(races.size() == 2);
  CHECK(races[0].first == 0);
  CHECK(races[0].second == 1);
  CHECK(races[0].address == 32);
  CHECK(races[1].second == 2);
}

TEST_CASE("An event between two operations prevents their race") {
  Asked asked;
  asked.add(1, kWrites);
  asked.order.record_event(1, 1);
  asked.order.wait_for_event(2, 1);
  asked.add(2, kReads);
  CHECK(asked.races().empty());
}

TEST_CASE("Extents are sorted, and what touches is one") {
  const auto extents = joined({{8, 12}, {0, 4}, {4, 8}, {20, 24}, {21, 22}});
  REQUIRE(extents.size() == 2);
  CHECK(extents[0].end == 12);
  CHECK(extents[1].begin == 20);
  CHECK(extents[1].end == 24);
}

}  // namespace warpbook::tests::stream_order_test
