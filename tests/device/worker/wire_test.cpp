#include "device/worker/wire.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::wire_test {

using namespace warpbook::device;

TEST_CASE("Values come off the wire as they were put on it") {
  WireWriter writer;
  writer.put(std::uint64_t{7})
      .put(-1.5)
      .put(true)
      .put(std::string_view("a\0b", 3))
      .put(std::int8_t{-3});
  WireReader reader(writer.bytes());
  CHECK(reader.get<std::uint64_t>() == 7);
  CHECK(reader.get<double>() == -1.5);
  CHECK(reader.get<bool>());
  CHECK(reader.get_text() == std::string("a\0b", 3));
  CHECK(reader.get<std::int8_t>() == -3);
  CHECK(reader.done());
}

TEST_CASE("A message cut anywhere is known to be cut") {
  WireWriter writer;
  writer.put(std::uint32_t{1}).put(std::string_view("text")).put(2.0);
  for (std::size_t length = 0; length < writer.bytes().size(); ++length) {
    CAPTURE(length);
    WireReader reader(std::string_view(writer.bytes()).substr(0, length));
    reader.get<std::uint32_t>();
    reader.get_text();
    reader.get<double>();
    CHECK_FALSE(reader.ok());
  }
}

TEST_CASE("A message with more at its end is not done") {
  WireWriter writer;
  writer.put(std::uint32_t{1}).put(std::uint8_t{0});
  WireReader reader(writer.bytes());
  reader.get<std::uint32_t>();
  CHECK(reader.ok());
  CHECK_FALSE(reader.done());
}

TEST_CASE("A length that cannot be true makes nobody allocate") {
  WireWriter writer;
  writer.put(std::uint64_t{1} << 60);
  WireReader text(writer.bytes());
  CHECK(text.get_text().empty());
  CHECK_FALSE(text.ok());
  WireReader count(writer.bytes());
  CHECK(count.get_count(8) == 0);
  CHECK_FALSE(count.ok());
}

TEST_CASE("An error that may be absent comes off the wire with its place, or absent") {
  const std::optional<Error> sent =
      Error{ErrorCode::assertion, {{"text", "x < 4"}}, {"a.cu", 3, 1}};
  WireWriter writer;
  put(writer, sent);
  put(writer, std::optional<Error>());
  WireReader reader(writer.bytes());
  std::optional<Error> there, absent = Error{};
  get(reader, there);
  get(reader, absent);
  CHECK(reader.done());
  CHECK(there == sent);
  CHECK(absent == std::nullopt);
}

TEST_CASE("An error of a code that there is not makes the message senseless") {
  WireWriter writer;
  put(writer, Error{static_cast<ErrorCode>(0xffff), {}, {}});
  WireReader reader(writer.bytes());
  Error error;
  get(reader, error);
  CHECK_FALSE(reader.ok());
}

}  // namespace warpbook::tests::wire_test
