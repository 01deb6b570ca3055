#include "device/worker/channel.hpp"

#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <thread>

namespace warpbook::tests::channel_test {

using namespace warpbook::device;
using std::chrono::steady_clock;

TEST_CASE("A frame arrives as it was sent, whatever its size") {
  const std::size_t bytes = GENERATE(0u, 1u, 32768u, 32769u, 5'000'000u);
  CAPTURE(bytes);
  auto ends = Channel::pair();
  REQUIRE(ends);
  const std::string sent(bytes, 'x');
  REQUIRE(ends->first.send(7, sent));
  Message frame;
  REQUIRE(ends->second.receive(frame) == Channel::Outcome::frame);
  CHECK(frame.kind == 7);
  CHECK((frame.bytes == sent));
  CHECK_FALSE(frame.memory);
}

TEST_CASE("Frames arrive one by one in their order") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  for (std::uint32_t i = 0; i < 20; ++i) REQUIRE(ends->first.send(i, std::to_string(i)));
  for (std::uint32_t i = 0; i < 20; ++i) {
    Message frame;
    REQUIRE(ends->second.receive(frame) == Channel::Outcome::frame);
    CHECK(frame.kind == i);
    CHECK(frame.bytes == std::to_string(i));
  }
}

TEST_CASE("Shared memory goes along with a frame") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  const std::string large(3'000'000, 'm');
  {
    const UniqueFd memory = make_memory(large);
    REQUIRE(ends->first.send(1, "with memory", memory.get()));
  }
  Message frame;
  REQUIRE(ends->second.receive(frame) == Channel::Outcome::frame);
  CHECK(frame.bytes == "with memory");
  CHECK((read_memory(frame.memory.get()) == large));
  CHECK_FALSE(read_memory(frame.memory.get(), 10));
}

TEST_CASE("An end that is gone is noticed, by the reader and by the writer") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  ends->second.close();
  Message frame;
  CHECK(ends->first.receive(frame) == Channel::Outcome::closed);
  CHECK_FALSE(ends->first.send(1, "anyone?"));
}

TEST_CASE("A reader waits no longer than its deadline") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  Message frame;
  const auto begin = steady_clock::now();
  CHECK(ends->first.receive(frame, begin + std::chrono::milliseconds(30)) ==
        Channel::Outcome::timeout);
  CHECK(steady_clock::now() - begin >= std::chrono::milliseconds(30));
  CHECK(steady_clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE("Bytes that are no frame are known as such") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  const std::string noise(64, 'z');
  REQUIRE(::write(ends->first.fd(), noise.data(), noise.size()) == 64);
  Message frame;
  CHECK(ends->second.receive(frame) == Channel::Outcome::malformed);
}

TEST_CASE("Two threads at the two ends lose nothing") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  std::thread echo([&] {
    Message frame;
    while (ends->second.receive(frame) == Channel::Outcome::frame && frame.kind != 0) {
      ends->second.send(frame.kind, frame.bytes);
    }
  });
  for (std::uint32_t i = 1; i <= 200; ++i) {
    const std::string sent(i * 400, static_cast<char>('a' + i % 26));
    REQUIRE(ends->first.send(i, sent));
    Message frame;
    REQUIRE(ends->first.receive(frame) == Channel::Outcome::frame);
    REQUIRE((frame.kind == i && frame.bytes == sent));
  }
  ends->first.send(0, {});
  echo.join();
}

}  // namespace warpbook::tests::channel_test
