#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/stream_queue.hpp"

namespace warpbook::tests::stream_queue_test {

using namespace warpbook::device;

namespace {

StreamTask task(std::uint32_t stream, std::function<std::optional<Error>()> work) {
  return {.stream = stream,
          .run = [work = std::move(work)](const std::stop_token&) { return work(); },
          .drop = [] {}};
}

Error error_of(const char* text) { return {ErrorCode::invalid_value, {{"why", text}}, {}}; }

}  // namespace

TEST_CASE("Work runs in the order in which it was asked for, whatever its stream") {
  StreamQueue queue;
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    queue.push(task(static_cast<std::uint32_t>(i % 3), [&order, i]() -> std::optional<Error> {
      order.push_back(i);
      return std::nullopt;
    }));
  }
  CHECK(!queue.synchronise());
  REQUIRE(order.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("Synchronising a stream gives the first error of its work, once") {
  StreamQueue queue;
  queue.push(task(1, [] { return std::optional(error_of("first")); }));
  queue.push(task(1, [] { return std::optional(error_of("second")); }));
  queue.push(task(2, [] { return std::optional(error_of("other")); }));
  CHECK(queue.synchronise(1) == error_of("first"));
  CHECK(!queue.synchronise(1));
  CHECK(queue.synchronise(2) == error_of("other"));
  CHECK(!queue.synchronise());
}

TEST_CASE("Synchronising the device gives the first error of all and forgets the rest") {
  StreamQueue queue;
  queue.push(task(2, [] { return std::optional(error_of("first")); }));
  queue.push(task(1, [] { return std::optional(error_of("second")); }));
  queue.note(3, error_of("refused"));
  const auto error = queue.synchronise();
  REQUIRE(error);
  // The refusal is noted at the call; the others when their turn comes.
  CHECK((*error == error_of("refused") || *error == error_of("first")));
  CHECK(!queue.synchronise());
  CHECK(!queue.synchronise(1));
}

TEST_CASE("Synchronising one stream does not wait for what another got later") {
  StreamQueue queue;
  std::promise<void> gate;
  queue.push(task(1, []() -> std::optional<Error> { return std::nullopt; }));
  queue.push(task(2, [opened = gate.get_future().share()]() -> std::optional<Error> {
    opened.wait();
    return std::nullopt;
  }));
  CHECK(!queue.synchronise(1));
  CHECK(!queue.synchronise(7));  // nothing was ever put there
  gate.set_value();
  CHECK(!queue.synchronise(2));
}

TEST_CASE("A queue that goes away asks what runs to stop and drops what waits") {
  std::atomic<int> dropped = 0, run = 0;
  std::promise<void> started;
  {
    StreamQueue queue;
    queue.push({.stream = 0,
                .run = [&](const std::stop_token& stop) -> std::optional<Error> {
                  ++run;
                  started.set_value();
                  while (!stop.stop_requested()) std::this_thread::yield();
                  return std::nullopt;
                },
                .drop = [&] { ++dropped; }});
    for (int i = 0; i < 10; ++i) {
      queue.push({.stream = 0,
                  .run = [&](const std::stop_token&) -> std::optional<Error> {
                    ++run;
                    return std::nullopt;
                  },
                  .drop = [&] { ++dropped; }});
    }
    started.get_future().wait();
  }
  CHECK(run == 1);
  CHECK(dropped == 10);
}

TEST_CASE("What a task held is let go before anyone is told that it is done") {
  StreamQueue queue;
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = held;
  queue.push(task(0, [kept = std::move(held)]() -> std::optional<Error> { return std::nullopt; }));
  queue.wait_idle();
  CHECK(watch.expired());
}

TEST_CASE("Many threads may push and wait at once") {
  StreamQueue queue;
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        queue.push(task(t, [&]() -> std::optional<Error> {
          ++done;
          return std::nullopt;
        }));
        if (i % 50 == 0) (void)queue.synchronise(t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  queue.wait_idle();
  CHECK(done == 2000);
}

}  // namespace warpbook::tests::stream_queue_test
