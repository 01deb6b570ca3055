// The GPU's back end against a driver that does what it should. That a kernel computes on a GPU what it computes on the
// simulator, tests/gpu/run shows where there is one.
#include <catch2/catch_test_macros.hpp>

#include <numeric>

#include <fmt/format.h>

#include "device/gpu/gpu_device.hpp"
#include "tests/device/gpu/stand_in.hpp"
#include "tests/device/gpu/stand_in_kernels.hpp"

namespace warpbook::tests::device_test {

using namespace warpbook::device;
using namespace warpbook::tests;

TEST_CASE("A GPU's properties are what its driver says") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  const Properties& p = gpu->properties();
  CHECK(p.name == "Stand-in GPU");
  CHECK(p.compute_capability == 90);
  CHECK(p.multiprocessors == 132);
  CHECK(p.shared_per_block_optin == 232448);
  CHECK(p.l2_bytes == 62914560);
  CHECK(!p.simulated);
  CHECK(!gpu->supports(Feature::counters));
  CHECK(gpu->supports(Feature::clusters));
}

TEST_CASE("A GPU whose clocks may not be asked for is a GPU all the same") {
  for (const int attribute : {13, 36, 37}) {  // the clocks, the width of the bus
    CAPTURE(attribute);
    const StandIn driver(fmt::format("unasked {}", attribute));
    const auto gpu = open_stand_in();
    const Properties& p = gpu->properties();
    CHECK((p.clock_khz == 0) == (attribute == 13));
    CHECK((p.memory_clock_khz == 0) == (attribute == 36));
    CHECK((p.memory_bus_bits == 0) == (attribute == 37));
    CHECK(p.multiprocessors == 132);
  }
  const StandIn driver("unasked 16");  // how many multiprocessors: nothing goes without
  const auto refused = gpu::GpuDevice::open();
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::driver_failed);
}

TEST_CASE("What is copied to a GPU comes back, also through pinned memory and in pieces") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  constexpr std::uint64_t kBytes = (16u << 20) + 12345;  // more than is staged at once
  std::vector<std::byte> sent(kBytes), got(kBytes);
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i * 7 >> 3);
  const auto x = gpu->allocate("x", ElementType::u8, kBytes);
  const auto y = gpu->allocate("y", ElementType::u8, kBytes);
  REQUIRE(x);
  REQUIRE(y);
  REQUIRE(gpu->copy_in(*x, sent, {}).wait());
  REQUIRE(gpu->copy(*y, *x, kBytes, {}).wait());
  REQUIRE(gpu->copy_out(got, *y, {}).wait());
  CHECK(got == sent);

  const auto pinned = gpu->allocate_pinned(kBytes);
  REQUIRE(pinned);
  const std::span<std::byte> lent(pinned->get(), kBytes);
  REQUIRE(gpu->copy_out(lent, *x, {}).wait());
  CHECK(std::equal(lent.begin(), lent.end(), sent.begin()));
  lent[5] = std::byte{99};
  REQUIRE(gpu->copy_in(*x + 1, lent.subspan(5, 1), {}).wait());
  REQUIRE(gpu->copy_out(std::span(got).first(2), *x, {}).wait());
  CHECK(got[1] == std::byte{99});
}

TEST_CASE("A fill, a kernel and a copy follow each other in a stream") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto x = gpu->allocate("x", ElementType::u32, 3);
  REQUIRE(x);
  const auto stream = gpu->create_stream();
  REQUIRE(stream);
  std::vector<std::uint32_t> got(3);
  (void)gpu->fill(*x, std::byte{1}, 12, *stream);
  const LaunchTicket ticket = gpu->launch(add_one(module, *x, 2), *stream);
  (void)gpu->copy_out(std::as_writable_bytes(std::span(got)), *x, *stream);
  REQUIRE(gpu->synchronise(*stream));
  CHECK(got == std::vector<std::uint32_t>{0x01010102, 0x01010102, 0x01010101});
  const auto& record = ticket.wait();
  REQUIRE(record);
  CHECK((*record)->kernel == "add_one");
  CHECK(!(*record)->error);
  CHECK(!(*record)->counted);
  CHECK((*record)->time.kind == EvidenceKind::measured);
  CHECK((*record)->time.on.text == "Stand-in GPU");
  CHECK((*record)->seconds > 0.99e-4);
  CHECK((*record)->seconds < 1.01e-4);  // the events' clock, not the host's
  CHECK((*record)->allocations.size() == 1);
}

TEST_CASE("What a kernel prints on a GPU stands in its own record") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto x = gpu->allocate("x", ElementType::u32, 1);
  REQUIRE(x);
  const auto first = gpu->launch(say(module, 2), {}).wait();
  const auto second = gpu->launch(add_one(module, *x, 1), {}).wait();
  REQUIRE(first);
  REQUIRE(second);
  CHECK((*first)->output == "hello from block 0\nhello from block 1\n");
  CHECK((*second)->output.empty());
}

TEST_CASE("Printing without end on a GPU is cut at its budget") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  Launch launch = say(load_stand_in_kernels(*gpu), 1000);
  launch.budget.output_bytes = 100;
  const auto record = gpu->launch(std::move(launch), {}).wait();
  REQUIRE(record);
  CHECK((*record)->output.size() == 100);
  REQUIRE((*record)->error);
  CHECK((*record)->error->code == ErrorCode::budget_output);
}

TEST_CASE("A launch that CUDA would refuse is refused before the driver sees it") {
  const StandIn driver("run 700");
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  Launch launch = say(module, 1);
  launch.block = {2048, 1, 1};
  const auto refused = gpu->launch(std::move(launch), {}).wait();
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::invalid_configuration);
  CHECK(driver.orders_left() == "run 700");
  const auto synchronised = gpu->synchronise();
  REQUIRE(!synchronised);
  CHECK(synchronised.error().code == ErrorCode::invalid_configuration);
}

TEST_CASE("A GPU estimates nothing, and says who does") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  Launch launch = say(load_stand_in_kernels(*gpu), 1);
  launch.estimate.wanted = true;
  const auto refused = gpu->launch(std::move(launch), {}).wait();
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::not_supported);
  CHECK(refused.error().english().find("--device simulator") != std::string::npos);
}

TEST_CASE("Copies beside a buffer on a GPU are refused by name") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  const auto x = gpu->allocate("x", ElementType::u32, 4);
  REQUIRE(x);
  std::vector<std::byte> host(17);
  const auto copied = gpu->copy_in(*x, host, {}).wait();
  REQUIRE(!copied);
  CHECK(copied.error().code == ErrorCode::copy_out_of_bounds);
  CHECK(copied.error().english().find("x, which has 16 bytes") != std::string::npos);
  REQUIRE(gpu->release(*x));
  CHECK(!gpu->release(*x));
}

TEST_CASE("Two GPU devices copy to each other") {
  const StandIn driver;
  const auto one = open_stand_in(), other = open_stand_in();
  const auto x = one->allocate("x", ElementType::u32, 2);
  const auto y = other->allocate("y", ElementType::u32, 2);
  REQUIRE(x);
  REQUIRE(y);
  const std::vector<std::uint32_t> sent{7, 8};
  std::vector<std::uint32_t> got(2);
  (void)one->copy_in(*x, std::as_bytes(std::span(sent)), {});
  const auto there = one->copy_peer(*other, *y, *x, 8, {});
  REQUIRE(there.wait());
  REQUIRE(other->copy_out(std::as_writable_bytes(std::span(got)), *y, {}).wait());
  CHECK(got == sent);
}

TEST_CASE("A module's variable on a GPU is found by its source name") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto counter = gpu->global(*module, "counter");
  REQUIRE(counter);
  CHECK(counter->type == ElementType::u32);
  CHECK(counter->bytes == 4);
  REQUIRE(gpu->fill(counter->address, std::byte{0}, 4, {}).wait());
  const auto none = gpu->global(*module, "none");
  REQUIRE(!none);
  CHECK(none.error().code == ErrorCode::no_such_global);
}

TEST_CASE("A GPU's occupancy is the driver's count with our own limiter") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto occupancy = gpu->occupancy(*module, "add_one", 256, 0);
  REQUIRE(occupancy);
  CHECK(occupancy->blocks == 8);
  CHECK(occupancy->fraction == 1.0);
  CHECK(occupancy->limiter == "threads");
}

TEST_CASE("A kernel's own shared arrays count when a launch asks for more than is free") {
  const StandIn driver;
  const auto gpu = open_stand_in();
  auto program = std::make_shared<Program>();
  program->name = "tile.ptx";
  program->ptx = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry say() {
  .reg .u32 %r;
  .shared .align 4 .b8 tile[20000];
  mov.u32 %r, tile;
  ret;
})";
  const auto module = gpu->load(std::move(program));
  REQUIRE(module);
  Launch launch = say(*module, 1);
  launch.dynamic_shared = 40000;  // alone it would be free
  const auto record = gpu->launch(std::move(launch), {}).wait();
  REQUIRE(record);
  CHECK(!(*record)->error);
}

TEST_CASE("The way of a launch to an idle GPU is no part of a kernel's time") {
  const StandIn driver("seconds 0.0001\nidle 0.00005");
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto timings = gpu->time({{{{say(module, 1)}, {}}}}, {0.001, 0.005, 0.01}, true);
  REQUIRE(timings);
  CHECK(timings->front().median > 0.99e-4);
  CHECK(timings->front().median < 1.01e-4);
  CHECK(timings->front().p80 < 1.01e-4);
}

TEST_CASE("Kernels on a GPU are timed by the events' clock, each variant for itself") {
  const StandIn driver("seconds 0.000004");  // shorter than a sample may be: runs in batches
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto x = gpu->allocate("x", ElementType::u32, 1);
  REQUIRE(x);
  warpbook::device::gpu::TimedVariant once{{{say(module, 1)}, {}}},
      twice{{{say(module, 1), add_one(module, *x, 1)}, {}}};
  const auto timings = gpu->time({once, twice}, {0.0001, 0.005, 0.001}, true);
  REQUIRE(timings);
  REQUIRE(timings->size() == 2);
  CHECK(timings->at(0).median > 3.9e-6);
  CHECK(timings->at(0).median < 4.1e-6);
  CHECK(timings->at(1).median > 7.8e-6);
  CHECK(timings->at(1).median < 8.2e-6);
  CHECK(timings->at(0).hot);
  CHECK(timings->at(0).on == "Stand-in GPU");
  CHECK(timings->at(0).samples >= 5);
}

}  // namespace warpbook::tests::device_test
