#include "device/worker/channel.hpp"

#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <thread>

namespace warpbook::tests::channel_test {

using namespace warpbook::device;
using std::chrono::steady_clock;

TEST_CASE("A message arrives as it was sent, whatever its size") {
  const std::size_t bytes = GENERATE(0u, 1u, 32768u, 32769u, 5'000'000u);
  CAPTURE(bytes);
  auto ends = Channel::pair();
  REQUIRE(ends);
  const std::string sent(bytes, 'x');
  REQUIRE(ends->first.send(7, sent));
  Packet message;
  REQUIRE(ends->second.receive(message) == Channel::Outcome::message);
  CHECK(message.kind == 7);
  CHECK((message.bytes == sent));
  CHECK_FALSE(message.memory);
}

TEST_CASE("Frames arrive one by one in their order") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  for (std::uint32_t i = 0; i < 20; ++i) REQUIRE(ends->first.send(i, std::to_string(i)));
  for (std::uint32_t i = 0; i < 20; ++i) {
    Packet message;
    REQUIRE(ends->second.receive(message) == Channel::Outcome::message);
    CHECK(message.kind == i);
    CHECK(message.bytes == std::to_string(i));
  }
}

TEST_CASE("Shared memory goes along with a message") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  const std::string large(3'000'000, 'm');
  {
    const UniqueFd memory = make_memory(large);
    REQUIRE(ends->first.send(1, "with memory", memory.get()));
  }
  Packet message;
  REQUIRE(ends->second.receive(message) == Channel::Outcome::message);
  CHECK(message.bytes == "with memory");
  CHECK((read_memory(message.memory.get()) == large));
  CHECK_FALSE(read_memory(message.memory.get(), 10));
}

TEST_CASE("An end that is gone is noticed, by the reader and by the writer") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  ends->second.close();
  Packet message;
  CHECK(ends->first.receive(message) == Channel::Outcome::closed);
  CHECK_FALSE(ends->first.send(1, "anyone?"));
}

TEST_CASE("A reader waits no longer than its deadline") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  Packet message;
  const auto begin = steady_clock::now();
  CHECK(ends->first.receive(message, begin + std::chrono::milliseconds(30)) ==
        Channel::Outcome::timeout);
  CHECK(steady_clock::now() - begin >= std::chrono::milliseconds(30));
  CHECK(steady_clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE("Bytes that are no message are known as such") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  const std::string noise(64, 'z');
  REQUIRE(::write(ends->first.fd(), noise.data(), noise.size()) == 64);
  Packet message;
  CHECK(ends->second.receive(message) == Channel::Outcome::malformed);
}

TEST_CASE("Two threads at the two ends lose nothing") {
  auto ends = Channel::pair();
  REQUIRE(ends);
  std::thread echo([&] {
    Packet message;
    while (ends->second.receive(message) == Channel::Outcome::message && message.kind != 0) {
      ends->second.send(message.kind, message.bytes);
    }
  });
  for (std::uint32_t i = 1; i <= 200; ++i) {
    const std::string sent(i * 400, static_cast<char>('a' + i % 26));
    REQUIRE(ends->first.send(i, sent));
    Packet message;
    REQUIRE(ends->first.receive(message) == Channel::Outcome::message);
    REQUIRE((message.kind == i && message.bytes == sent));
  }
  ends->first.send(0, {});
  echo.join();
}

}  // namespace warpbook::tests::channel_test
