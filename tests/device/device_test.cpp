// Device on the simulator: everything that its header promises of memory, streams, launches and
// errors.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/device.hpp"
#include "tests/bump.hpp"
#include "tests/keyed.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::device_test {

using namespace warpbook::device;

namespace {

// Beside bump: careless writes x[i] for every thread; endless never ends.
const std::string kPtx = std::string(warpbook::tests::kBump) + R"(
.visible .entry _Z8carelessPi(.param .u64 p0)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p0];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd2, %rd2, %rd3;
  st.global.u32 [%rd2], %r5;
  ret;
}

.visible .entry endless()
{
AGAIN:
  bra AGAIN;
}
)";

std::shared_ptr<const Program> program_of(std::string ptx) {
  auto program = std::make_shared<Program>();
  program->name = "test.ptx";
  program->ptx = std::move(ptx);
  return program;
}

/// A device with the kernels above and an int buffer x of `count`.
struct Fixture {
  std::unique_ptr<Device> device = make_simulated_device(*find_gpu("h200"));
  std::shared_ptr<const Module> module;

  Fixture() {
    auto loaded = device->load(program_of(kPtx));
    REQUIRE(loaded);
    module = *loaded;
  }
  Pointer ints(const char* name, std::uint64_t count) {
    const auto address = device->allocate(name, ElementType::i32, count);
    REQUIRE(address);
    return *address;
  }
  Launch launch(const char* kernel, std::vector<Argument> arguments, Dim3 grid = {1},
                Dim3 block = {32}) {
    Launch l;
    l.module = module;
    l.kernel = kernel;
    l.arguments = std::move(arguments);
    l.grid = grid;
    l.block = block;
    return l;
  }
};

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

TEST_CASE("What is copied in comes out, also through the device") {
  Fixture f;
  std::vector<int> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 3);
  const Pointer a = f.ints("a", 1000), b = f.ints("b", 1000);
  CHECK(a % 256 == 0);
  CHECK(b % 256 == 0);
  REQUIRE(f.device->copy_in(a, bytes_of(in)).wait());
  REQUIRE(f.device->copy(b, a, 4000).wait());
  REQUIRE(f.device->copy_out(std::as_writable_bytes(std::span(out)), b).wait());
  CHECK(out == in);
  REQUIRE(f.device->fill(b + 4, std::byte{0xff}, 8).wait());
  REQUIRE(f.device->copy_out(std::as_writable_bytes(std::span(out)), b).wait());
  CHECK(out[0] == in[0]);
  CHECK(out[1] == -1);
  CHECK(out[2] == -1);
  CHECK(out[3] == in[3]);
}

TEST_CASE("A copy that leaves its allocation is refused by name and moves nothing") {
  Fixture f;
  std::vector<int> values(11, 7), out(10, 1);
  const Pointer y = f.ints("y", 10);
  REQUIRE(f.device->fill(y, std::byte{0}, 40).wait());
  const auto& copied = f.device->copy_in(y, bytes_of(values)).wait();
  REQUIRE(!copied);
  CHECK(copied.error().code == ErrorCode::copy_out_of_bounds);
  CHECK_THAT(
      copied.error().english(),
      warpbook::tests::Says("error.copy_out_of_bounds.long",
                            {{"call", "copy_in"}, {"bytes", 44}, {"name", "y"}, {"size", 40}}));
  CHECK(!f.device->copy_out(std::as_writable_bytes(std::span(out)), y + 4).wait());
  CHECK(!f.device->fill(y, std::byte{1}, 41).wait());
  CHECK(!f.device->copy(y, y + 4, 40).wait());
  REQUIRE(f.device->copy_out(std::as_writable_bytes(std::span(out)), y).wait());
  CHECK(out == std::vector<int>(10, 0));
}

TEST_CASE("A copy to an address that is nobody's is refused") {
  Fixture f;
  std::vector<int> values(4);
  const Pointer freed = f.ints("x", 4);
  REQUIRE(f.device->release(freed));
  for (const Pointer address : {Pointer{0}, Pointer{64}, freed, ~Pointer{0}}) {
    CAPTURE(address);
    CHECK(!f.device->copy_in(address, bytes_of(values)).wait());
  }
}

TEST_CASE("A stream's work runs in order without waiting in between") {
  Fixture f;
  std::vector<int> in(100), out(100);
  std::iota(in.begin(), in.end(), 0);
  const Pointer x = f.ints("x", 100);
  const auto stream = f.device->create_stream();
  REQUIRE(stream);
  f.device->copy_in(x, bytes_of(in), *stream);
  for (int i = 0; i < 3; ++i) {
    f.device->launch(f.launch("bump", {Argument::pointer(x), Argument::of(100)}, {4}), *stream);
  }
  f.device->copy_out(std::as_writable_bytes(std::span(out)), x, *stream);
  REQUIRE(f.device->synchronise(*stream));
  for (int i = 0; i < 100; ++i) CHECK(out[static_cast<std::size_t>(i)] == i + 3);
}

TEST_CASE("A launch's record tells what ran") {
  Fixture f;
  const Pointer x = f.ints("x", 40);
  REQUIRE(f.device->fill(x, std::byte{0}, 160).wait());
  const auto ticket =
      f.device->launch(f.launch("bump", {Argument::pointer(x), Argument::of(40)}, {2}));
  const auto& record = ticket.wait();
  REQUIRE(record);
  CHECK(ticket.ready());
  CHECK((*record)->kernel == "bump");
  CHECK((*record)->grid == Dim3{2});
  CHECK((*record)->block == Dim3{32});
  CHECK((*record)->counted);
  CHECK(!(*record)->error);
  // 7 instructions for all 64 threads, the branch for the 24 that leave, 6 for the 40 others, the
  // return for all.
  CHECK((*record)->total.thread_instructions == 64 * 7 + 24 + 40 * 6 + 64);
}

TEST_CASE("A fault is told by the ticket and by the next synchronise, and the device goes on") {
  Fixture f;
  const Pointer x = f.ints("x", 30);
  const auto faulted = f.device->launch(f.launch("careless", {Argument::pointer(x)}));
  REQUIRE(faulted.wait());
  REQUIRE((*faulted.wait())->error);
  CHECK((*faulted.wait())->error->code == ErrorCode::out_of_bounds_write);
  CHECK((*faulted.wait())->findings_total == 2);
  const auto synchronised = f.device->synchronise();
  REQUIRE(!synchronised);
  CHECK(synchronised.error().code == ErrorCode::out_of_bounds_write);
  CHECK(f.device->synchronise());
  // The 30 writes in bounds took place, and the next launch works.
  const auto next = f.device->launch(f.launch("bump", {Argument::pointer(x), Argument::of(30)}));
  REQUIRE(next.wait());
  CHECK(!(*next.wait())->error);
  std::vector<int> out(30);
  REQUIRE(f.device->copy_out(std::as_writable_bytes(std::span(out)), x).wait());
  for (int i = 0; i < 30; ++i) CHECK(out[static_cast<std::size_t>(i)] == i + 1);
}

TEST_CASE("A launch that CUDA would refuse runs nothing, and its ticket and synchronise say why") {
  Fixture f;
  const Pointer x = f.ints("x", 4);
  const auto refused =
      f.device->launch(f.launch("bump", {Argument::pointer(x), Argument::of(4)}, {1}, {1025}));
  CHECK(refused.ready());
  REQUIRE(!refused.wait());
  CHECK(refused.wait().error().code == ErrorCode::invalid_configuration);
  const auto synchronised = f.device->synchronise(Stream{});
  REQUIRE(!synchronised);
  CHECK(synchronised.error() == refused.wait().error());
  const auto few = f.device->launch(f.launch("bump", {Argument::pointer(x)}));
  REQUIRE(!few.wait());
  CHECK(warpbook::tests::keyed(few.wait().error()) ==
        "argument_count(count=2, got=1, kernel=bump, signature=int*, int)");
}

TEST_CASE("A kernel is found by its plain and its mangled name") {
  Fixture f;
  for (const char* name : {"bump", "_Z4bumpPii"}) {
    const auto found = f.module->kernel(name);
    REQUIRE(found);
    CHECK((*found)->name == "bump");
    CHECK((*found)->parameters.at(0).declared == "int*");
  }
  const auto missing = f.module->kernel("bmup");
  REQUIRE(!missing);
  CHECK(warpbook::tests::keyed(missing.error()) ==
        "no_such_kernel(known=bump, careless, endless, name=bmup)");
  const auto several = f.module->kernel("");
  REQUIRE(!several);
  CHECK(warpbook::tests::keyed(several.error()) ==
        "ambiguous_kernel(known=bump, careless, endless)");
}

TEST_CASE("An endless kernel ends by its budget or by a stop request") {
  Fixture f;
  SECTION("instructions") {
    Launch l = f.launch("endless", {});
    l.budget.thread_instructions = 1'000'000;
    const auto ticket = f.device->launch(std::move(l));
    REQUIRE(ticket.wait());
    REQUIRE((*ticket.wait())->error);
    CHECK((*ticket.wait())->error->code == ErrorCode::budget_instructions);
  }
  SECTION("time") {
    Launch l = f.launch("endless", {});
    l.budget.seconds = 0.05;
    const auto ticket = f.device->launch(std::move(l));
    REQUIRE(ticket.wait());
    REQUIRE((*ticket.wait())->error);
    CHECK((*ticket.wait())->error->code == ErrorCode::budget_time);
  }
  SECTION("stop") {
    std::stop_source stop;
    Launch l = f.launch("endless", {});
    l.stop = stop.get_token();
    const auto ticket = f.device->launch(std::move(l));
    CHECK(!ticket.ready());
    stop.request_stop();
    REQUIRE(ticket.wait());
    REQUIRE((*ticket.wait())->error);
    CHECK((*ticket.wait())->error->code == ErrorCode::cancelled);
  }
}

TEST_CASE("A device may go away with work in its queues") {
  LaunchTicket running, waiting;
  CopyTicket copy;
  std::vector<int> values(4);
  {
    Fixture f;
    const Pointer x = f.ints("x", 4);
    running = f.device->launch(f.launch("endless", {}));
    waiting = f.device->launch(f.launch("bump", {Argument::pointer(x), Argument::of(4)}));
    copy = f.device->copy_in(x, bytes_of(values));
  }
  // Whether the first had begun is a matter of time; that all have come to an end is not.
  REQUIRE(running.ready());
  REQUIRE(waiting.ready());
  REQUIRE(copy.ready());
  if (running.wait()) {
    REQUIRE((*running.wait())->error);
    CHECK((*running.wait())->error->code == ErrorCode::cancelled);
  } else {
    CHECK(running.wait().error().code == ErrorCode::cancelled);
  }
  REQUIRE(!waiting.wait());
  CHECK(waiting.wait().error().code == ErrorCode::cancelled);
  REQUIRE(!copy.wait());
  CHECK(copy.wait().error().code == ErrorCode::cancelled);
}

TEST_CASE("Freeing waits for the work that may use the memory") {
  Fixture f;
  constexpr int kCount = 64 * 32;
  const Pointer x = f.ints("x", kCount);
  f.device->fill(x, std::byte{0}, kCount * 4);
  std::vector<LaunchTicket> tickets;
  for (int i = 0; i < 20; ++i) {
    tickets.push_back(
        f.device->launch(f.launch("bump", {Argument::pointer(x), Argument::of(kCount)}, {64})));
  }
  REQUIRE(f.device->release(x));
  for (const LaunchTicket& t : tickets) {
    REQUIRE(t.ready());
    REQUIRE(t.wait());
    CHECK(!(*t.wait())->error);
  }
  CHECK(f.device->allocations().empty());
  const auto again = f.device->release(x);
  REQUIRE(!again);
  CHECK(again.error().code == ErrorCode::double_free);
  CHECK(again.error().english() ==
        fmt::format("release of x at {:#x}, which was freed already; free it once, by the one who "
                    "owns it",
                    x));
  const auto inside = f.device->release(x + 4);
  REQUIRE(!inside);
  CHECK(inside.error().code == ErrorCode::bad_pointer);
  CHECK(f.device->release(0));
}

TEST_CASE("A buffer frees itself") {
  Fixture f;
  {
    const auto address = f.device->allocate("x", ElementType::f32, 10);
    REQUIRE(address);
    Buffer buffer(*f.device, {"x", *address, 40, ElementType::f32});
    Buffer moved = std::move(buffer);
    CHECK(moved.count() == 10);
    REQUIRE(f.device->allocations().size() == 1);
    CHECK(f.device->allocations()[0].name == "x");
    CHECK(f.device->allocations()[0].type == ElementType::f32);
  }
  CHECK(f.device->allocations().empty());
}

TEST_CASE("More memory than the GPU has is refused with the numbers") {
  const auto device = make_simulated_device(*find_gpu("t4"));
  const auto huge = device->allocate("huge", ElementType::f32, 1ull << 34);
  REQUIRE(!huge);
  CHECK(huge.error().code == ErrorCode::out_of_memory);
  CHECK(huge.error().english().find("huge") != std::string::npos);
  const auto wraps = device->allocate("wraps", ElementType::f64, 1ull << 62);
  REQUIRE(!wraps);
  CHECK(wraps.error().code == ErrorCode::out_of_memory);
}

TEST_CASE("A copy between two devices comes after what was queued on both") {
  Fixture from, to;
  std::vector<int> in(300'000), out(300'000);
  std::iota(in.begin(), in.end(), 0);
  const Pointer a = from.ints("a", in.size()), b = to.ints("b", in.size());
  from.device->copy_in(a, bytes_of(in));
  to.device->fill(b, std::byte{0xee}, in.size() * 4);
  REQUIRE(from.device->copy_peer(*to.device, b, a, in.size() * 4).wait());
  REQUIRE(to.device->copy_out(std::as_writable_bytes(std::span(out)), b).wait());
  CHECK(out == in);
  const auto& outside = from.device->copy_peer(*to.device, b + 4, a, in.size() * 4).wait();
  REQUIRE(!outside);
  CHECK(outside.error().code == ErrorCode::copy_out_of_bounds);
  REQUIRE(to.device->copy_out(std::as_writable_bytes(std::span(out)), b).wait());
  CHECK(out == in);
}

TEST_CASE("Two devices that copy to each other do not wait in a circle") {
  Fixture a, b;
  const Pointer x = a.ints("x", 1000), y = b.ints("y", 1000);
  REQUIRE(a.device->fill(x, std::byte{1}, 4000).wait());
  REQUIRE(b.device->fill(y, std::byte{2}, 4000).wait());
  std::thread one([&] {
    for (int i = 0; i < 200; ++i) a.device->copy_peer(*b.device, y, x, 4000);
  });
  std::thread other([&] {
    for (int i = 0; i < 200; ++i) b.device->copy_peer(*a.device, x, y, 4000);
  });
  one.join();
  other.join();
  CHECK(a.device->synchronise());
  CHECK(b.device->synchronise());
}

TEST_CASE("A module runs only on the device that it was loaded on") {
  Fixture a, b;
  Launch l = a.launch("endless", {});
  const auto ticket = b.device->launch(std::move(l));
  REQUIRE(!ticket.wait());
  CHECK(warpbook::tests::keyed(ticket.wait().error()) ==
        "invalid_value(why=phrase.why.foreign-module(gpu=H200))");
  Launch none;
  CHECK(!a.device->launch(none).wait());
}

TEST_CASE("A stream that does not exist is refused by number") {
  Fixture f;
  const auto stream = f.device->create_stream();
  REQUIRE(stream);
  REQUIRE(f.device->destroy(*stream));
  const auto again = f.device->destroy(*stream);
  REQUIRE(!again);
  CHECK(warpbook::tests::keyed(again.error()) ==
        "invalid_handle(device=H200, id=1, what=phrase.what.stream)");
  CHECK(!f.device->synchronise(*stream));
  CHECK(!f.device->record_event(*stream));
  CHECK(!f.device->launch(f.launch("endless", {}), *stream).wait());
  CHECK(!f.device->fill(0, std::byte{0}, 0, *stream).wait());
  CHECK(!f.device->destroy(Stream{}));  // the default stream is always there
}

TEST_CASE("What is waited for by an event is done before what waits") {
  Fixture f;
  const Pointer x = f.ints("x", 32);
  f.device->fill(x, std::byte{0}, 128);
  const auto producer = f.device->create_stream(), consumer = f.device->create_stream();
  REQUIRE(producer);
  REQUIRE(consumer);
  f.device->launch(f.launch("bump", {Argument::pointer(x), Argument::of(32)}), *producer);
  const auto event = f.device->record_event(*producer);
  REQUIRE(event);
  REQUIRE(f.device->wait(*consumer, *event));
  std::vector<int> out(32);
  f.device->copy_out(std::as_writable_bytes(std::span(out)), x, *consumer);
  REQUIRE(f.device->synchronise(*consumer));
  CHECK(out == std::vector<int>(32, 1));
  const auto never = f.device->wait(*consumer, Event{99});
  REQUIRE(!never);
  CHECK(never.error().code == ErrorCode::invalid_handle);
}

TEST_CASE("The host's calls are kept in order") {
  Fixture f;
  const Pointer x = f.ints("x", 32);
  f.device->fill(x, std::byte{0}, 128);
  f.device->launch(f.launch("bump", {Argument::pointer(x), Argument::of(32)}));
  std::vector<int> out(32);
  f.device->copy_out(std::as_writable_bytes(std::span(out)), x);
  CHECK(f.device->synchronise());
  CHECK(f.device->release(x));
  std::vector<std::pair<std::string, std::string>> calls;
  for (const HostCall& c : f.device->host_calls()) calls.emplace_back(c.call, c.subject);
  CHECK(calls == std::vector<std::pair<std::string, std::string>>{{"load", "test.ptx"},
                                                                  {"allocate", "x"},
                                                                  {"fill", "x"},
                                                                  {"launch", "bump"},
                                                                  {"copy_out", "x"},
                                                                  {"synchronise", ""},
                                                                  {"release", "x"}});
  CHECK(f.device->host_calls()[4].bytes == 128);
}

TEST_CASE("Pinned memory is there, aligned, and can be copied with") {
  Fixture f;
  const auto pinned = f.device->allocate_pinned(4096);
  REQUIRE(pinned);
  CHECK(reinterpret_cast<std::uintptr_t>(pinned->get()) % 4096 == 0);
  std::memset(pinned->get(), 5, 4096);
  const Pointer x = f.ints("x", 1024);
  CHECK(f.device->copy_in(x, std::span<const std::byte>(pinned->get(), 4096)).wait());
  CHECK(f.device->allocate_pinned(1ull << 60).error().code == ErrorCode::out_of_memory);
}

TEST_CASE("Many threads may use one device at once") {
  Fixture f;
  constexpr int kThreads = 4, kRounds = 25;
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const auto x = f.device->allocate("x", ElementType::i32, 32);
        const auto stream = f.device->create_stream();
        std::vector<int> out(32);
        f.device->fill(*x, std::byte{0}, 128, *stream);
        f.device->launch(f.launch("bump", {Argument::pointer(*x), Argument::of(32)}), *stream);
        f.device->copy_out(std::as_writable_bytes(std::span(out)), *x, *stream);
        if (!f.device->synchronise(*stream) || out != std::vector<int>(32, 1)) ++wrong;
        if (!f.device->release(*x) || !f.device->destroy(*stream)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(f.device->allocations().empty());
}

TEST_CASE("PTX for a newer GPU than the simulated one is refused as the driver would") {
  const auto device = make_simulated_device(*find_gpu("t4"));
  const auto loaded =
      device->load(program_of(".version 8.0\n.target sm_90\n.address_size 64\n"
                              ".visible .entry k()\n{\n  ret;\n}\n"));
  REQUIRE(!loaded);
  CHECK(warpbook::tests::keyed(loaded.error()) ==
        "no_kernel_image(architecture=75, device=T4, file=test.ptx, target=90)");
}

TEST_CASE("What the simulator does not have it says, and never pretends") {
  Fixture f;
  CHECK(!f.device->supports(Feature::graphs));
  CHECK(f.device->supports(Feature::counters));
  CHECK(!make_simulated_device(*find_gpu("t4"))->supports(Feature::clusters));
}

TEST_CASE("Occupancy of a loaded kernel comes from its own needs") {
  Fixture f;
  const auto o = f.device->occupancy(*f.module, "bump", 256, 100 * 1024);
  REQUIRE(o);
  CHECK(o->blocks == 2);
  CHECK(o->limiter == "shared");
  CHECK(!f.device->occupancy(*f.module, "nothing", 256, 0));
}

TEST_CASE("Progress is told while a launch runs, and ends at 1") {
  Fixture f;
  const Pointer x = f.ints("x", 32);
  f.device->fill(x, std::byte{0}, 128);
  std::atomic<double> last = 0;
  Launch l = f.launch("bump", {Argument::pointer(x), Argument::of(32)}, {5000});
  l.progress = [&](double fraction) { last = fraction; };
  REQUIRE(f.device->launch(l).wait());
  CHECK(last == 1.0);
}

}  // namespace warpbook::tests::device_test
