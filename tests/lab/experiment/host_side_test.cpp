// The host side of an experiment as a timeline: what runs beside what, and who waits.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/experiment/host_side.hpp"

namespace warpbook::lab::host_side_test {
namespace {

using Catch::Approx;
using device::runtime::Engine;
using Activity = TimelineExhibit::Activity;

HostSide::Work copy(double seconds, std::uint32_t stream = 0) {
  return {Engine::copy_in, "t", {seconds, seconds, seconds}, 4096, stream};
}
HostSide::Work kernel(double seconds, std::uint32_t stream = 0) {
  return {Engine::kernel, "plus", {seconds, seconds / 2, 2 * seconds}, 0, stream};
}
const Message kGpu = Message::plain("H200");

}  // namespace

TEST_CASE(
    "A call that only asks returns before its work is done, and a later wait names that work") {
  HostSide host;
  host.ask("cudaLaunchKernel", kernel(1e-3));
  host.wait("cudaDeviceSynchronize");
  const TimelineExhibit timeline = host.timeline(kGpu);
  REQUIRE(valid(timeline));
  REQUIRE(timeline.spans.size() == 4);
  const auto &asked = timeline.spans[0], &work = timeline.spans[1], &waiting = timeline.spans[3];
  CHECK(asked.activity == Activity::host_call);
  CHECK(asked.end < work.end);
  CHECK(work.call == 0);
  CHECK(work.label == "plus");
  CHECK(waiting.activity == Activity::waiting);
  CHECK(waiting.after == std::vector<std::uint32_t>{1});
  CHECK(waiting.end == work.end);
  CHECK(timeline.total == Approx(work.end));
  CHECK(timeline.low < timeline.total);
  CHECK(timeline.total < timeline.high);
}

TEST_CASE("A call that waits holds the host until its work is done") {
  HostSide host;
  host.ask_and_wait("cudaMemcpy", copy(1e-3));
  host.spend("cudaMalloc", {50e-6, 50e-6, 50e-6});
  const TimelineExhibit timeline = host.timeline(kGpu);
  REQUIRE(timeline.spans.size() == 4);
  CHECK(timeline.spans[1].bytes == 4096);
  CHECK(timeline.spans[2].activity == Activity::waiting);
  CHECK(timeline.spans[3].begin == Approx(timeline.spans[1].end));
  CHECK(timeline.spans[3].end - timeline.spans[3].begin == Approx(50e-6));
}

TEST_CASE(
    "Streams have rows of their own and run beside each other; the default stream waits for "
    "them") {
  HostSide host;
  host.ask("cudaMemcpyAsync", copy(1e-3, 1));
  host.ask("cudaLaunchKernel", kernel(1e-3, 2));
  host.ask("cudaLaunchKernel", kernel(1e-3));
  const TimelineExhibit timeline = host.timeline(kGpu);
  REQUIRE(timeline.spans.size() == 6);
  CHECK(timeline.rows.size() == 4);
  CHECK(timeline.spans[3].begin < timeline.spans[1].end);
  CHECK(timeline.spans[5].begin >= timeline.spans[1].end);
  CHECK(timeline.spans[5].begin >= timeline.spans[3].end);
}

TEST_CASE("A stream that waits for an event begins later, and the timeline says for what") {
  HostSide host;
  const auto first = host.ask("cudaMemcpyAsync", copy(1e-3, 1));
  host.record_event(7, 1);
  host.wait_for_event(2, 7);
  const auto second = host.ask("cudaLaunchKernel", kernel(1e-3, 2));
  CHECK(second.begin >= first.end);
  const TimelineExhibit timeline = host.timeline(kGpu);
  REQUIRE(timeline.spans.size() == 4);
  CHECK(timeline.spans[3].after == std::vector<std::uint32_t>{1});
}

TEST_CASE("Two streams race for the same memory, unless an event puts them in order") {
  const bool ordered = GENERATE(false, true);
  CAPTURE(ordered);
  HostSide host;
  HostSide::Work writes = copy(1e-3, 1), reads = kernel(1e-3, 2);
  writes.footprint.writes = reads.footprint.reads = {{0, 4096}};
  host.ask("cudaMemcpyAsync", writes);
  host.record_event(1, 1);
  if (ordered) host.wait_for_event(2, 1);
  host.ask("cudaLaunchKernel", reads);
  CHECK(host.races().size() == (ordered ? 0 : 1));
}

TEST_CASE("A non-blocking stream does not wait for the default stream") {
  HostSide host;
  host.make_independent(1);
  const auto first = host.ask("cudaLaunchKernel", kernel(1e-3));
  CHECK(host.ask("cudaMemcpyAsync", copy(1e-3, 1)).begin < first.end);
  CHECK(host.ask("cudaMemcpyAsync", copy(1e-3, 2)).begin >= first.end);
}

TEST_CASE("Work that no call asked for is on its stream alone") {
  HostSide host;
  host.work(copy(1e-3));
  const TimelineExhibit timeline = host.timeline(kGpu);
  REQUIRE(timeline.spans.size() == 1);
  CHECK_FALSE(timeline.spans[0].call);
}

TEST_CASE("Without the time of one launch only the order is told") {
  HostSide host;
  host.ask("cudaLaunchKernel", HostSide::launch_of(device::LaunchRecord{}));
  host.wait("cudaDeviceSynchronize");
  const TimelineExhibit timeline = host.timeline(kGpu);
  CHECK_FALSE(timeline.times);
  CHECK(timeline.total == 0);
  for (const auto& span : timeline.spans) CHECK(span.end == 0);
}

}  // namespace warpbook::lab::host_side_test
