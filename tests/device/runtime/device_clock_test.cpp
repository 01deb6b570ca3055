// What runs beside what follows from CUDA's rules for streams (CUDA C++ Programming Guide, "Asynchronous Concurrent Execution").
#include "device/runtime/device_clock.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::tests::device_clock_test {

using namespace device::runtime;

namespace {

constexpr std::uint32_t kLegacy = 0, kFirst = 1, kSecond = 2;

DeviceClock clock() { return {}; }

bool overlap(const Interval& a, const Interval& b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

TEST_CASE("Work of a stream follows what is in the stream before it") {
  DeviceClock at = clock();
  const Interval first = at.run(kFirst, Engine::kernel, 1, 0.1);
  const Interval copy = at.run(kFirst, Engine::copy_out, 1);
  const Interval last = at.run(kFirst, Engine::kernel, 1, 0.1);
  CHECK(copy.begin >= first.end);
  CHECK(last.begin >= copy.end);
  CHECK(at.time_of(kFirst) == last.end);
}

TEST_CASE("Kernels of two streams run side by side where the multiprocessors have room for both") {
  DeviceClock small = clock(), large = clock();
  CHECK(overlap(small.run(kFirst, Engine::kernel, 1, 0.5),
                small.run(kSecond, Engine::kernel, 1, 0.5)));
  const Interval first = large.run(kFirst, Engine::kernel, 1, 0.6);
  CHECK(large.run(kSecond, Engine::kernel, 1, 0.6).begin >= first.end);
}

TEST_CASE("A kernel waits for as many others as it needs room of") {
  DeviceClock at = clock();
  const Interval brief = at.run(1, Engine::kernel, 1, 0.5);
  const Interval lengthy = at.run(2, Engine::kernel, 3, 0.5);
  const Interval third = at.run(3, Engine::kernel, 1, 0.5);
  CHECK(third.begin >= brief.end);
  CHECK(third.begin < lengthy.end);
}

TEST_CASE("Copies in both directions run side by side, and beside kernels, but not two of one") {
  DeviceClock at = clock();
  const Interval in = at.run(1, Engine::copy_in, 1), out = at.run(2, Engine::copy_out, 1),
                 kernel = at.run(3, Engine::kernel, 1);
  CHECK(overlap(in, out));
  CHECK(overlap(in, kernel));
  CHECK(at.run(4, Engine::copy_in, 1).begin >= in.end);
}

TEST_CASE("The legacy default stream waits for blocking streams, and they for it") {
  DeviceClock at = clock();
  const Interval before = at.run(kFirst, Engine::copy_in, 1);
  const Interval legacy = at.run(kLegacy, Engine::kernel, 1, 0.1);
  const Interval after = at.run(kSecond, Engine::copy_out, 1);
  CHECK(legacy.begin >= before.end);
  CHECK(after.begin >= legacy.end);
}

TEST_CASE("A non-blocking stream and the legacy default stream do not wait for each other") {
  DeviceClock at = clock();
  at.make_independent(kFirst);
  const Interval own = at.run(kFirst, Engine::copy_in, 1);
  const Interval legacy = at.run(kLegacy, Engine::kernel, 1, 0.1);
  const Interval later = at.run(kFirst, Engine::copy_out, 1);
  CHECK(overlap(own, legacy));
  CHECK(overlap(later, legacy) == (own.end < legacy.end));
}

TEST_CASE("A stream that waits for an event begins when that is reached") {
  DeviceClock at = clock();
  const Interval first = at.run(kFirst, Engine::kernel, 1, 0.1);
  at.hold(kSecond, first.end);
  CHECK(at.run(kSecond, Engine::kernel, 1, 0.1).begin >= first.end);
}

TEST_CASE("What the host asks for after a wait begins after what it waited for") {
  const int way = GENERATE(0, 1, 2);
  CAPTURE(way);
  DeviceClock at = clock();
  const Interval first = at.run(kFirst, Engine::copy_in, 1);
  if (way == 0) at.wait(kFirst);
  if (way == 1) at.wait_all();
  if (way == 2) at.wait_until(first.end);
  CHECK(at.host() >= first.end);
  CHECK(at.run(kSecond, Engine::copy_out, 1).begin >= first.end);
}

TEST_CASE("A wait for one stream does not wait for another") {
  DeviceClock at = clock();
  at.run(kFirst, Engine::copy_in, 5);
  const Interval brief = at.run(kSecond, Engine::copy_out, 1);
  at.wait(kSecond);
  CHECK(at.host() == brief.end);
}

TEST_CASE("Each call takes the host some time") {
  DeviceClock at = clock();
  at.call();
  const double once = at.host();
  at.call();
  CHECK(once > 0);
  CHECK(at.host() == 2 * once);
}

TEST_CASE(
    "Copies over the link take a latency and their bytes' time, and others than pinned ones what a "
    "thread of the host takes") {
  const CopyModel model(**device::known_gpu("h100"));
  const double none = model.over_link(0, true).seconds,
               pinned = model.over_link(1u << 30, true).seconds,
               pageable = model.over_link(1u << 30, false).seconds;
  CHECK(none > 0);
  CHECK(pageable - none > 1.99 * (pinned - none));
  // PCI Express 3.0 is slow enough that the host keeps up with half of it; a faster link leaves it behind.
  const CopyModel slower(**device::known_gpu("t4")), middling(**device::known_gpu("a100"));
  CHECK(slower.link_rate(false) == slower.link_rate(true) / 2);
  CHECK(model.link_rate(false) == middling.link_rate(false));
  // 1 GiB over PCI Express 5.0 takes between 17 ms, at its peak, and 30 ms.
  CHECK(pinned > 0.017);
  CHECK(pinned < 0.030);
  CHECK(model.in_memory(1u << 30).seconds < pinned);
}

TEST_CASE("The banded clock's end lies between its earliest and its latest") {
  BandedClock clock;
  const Interval first = clock.run(kFirst, Engine::copy_in, {2, 1, 4});
  const Interval second = clock.run(kFirst, Engine::kernel, {3, 2, 5}, 0.1);
  CHECK(second.begin >= first.end);
  clock([](DeviceClock& each) { return each.wait_all(); });
  const Duration end = clock.host();
  CHECK(end.seconds == second.end);
  CHECK(end.low >= 3);
  CHECK(end.low < end.seconds);
  CHECK(end.high >= 9);
  CHECK(end.high > end.seconds);
}

}  // namespace warpbook::tests::device_clock_test
