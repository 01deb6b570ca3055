#include "device/wire/held_bytes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/message.hpp"

namespace warpbook::tests::held_bytes_test {

using namespace warpbook::device;

TEST_CASE("a value holds what the allocator gave for it, and nothing for what is within it") {
  CHECK(held_bytes(7) == 0);
  CHECK(held_bytes(std::string("fifteen letters")) == 0);
  // A block has a head of 8 bytes, and its size is a multiple of 16.
  CHECK(held_bytes(std::string(16, 'x')) == 32);
  CHECK(held_bytes(std::vector<std::uint64_t>(100)) == 816);
  CHECK(held_bytes(std::optional<std::string>()) == 0);
}

TEST_CASE("what a value holds is counted at any depth") {
  const std::string text(100, 'x');
  const std::uint64_t of_text = held_bytes(text);
  REQUIRE(of_text > 100);
  std::vector<std::string> texts;
  texts.reserve(2);
  const std::uint64_t empty = held_bytes(texts);
  texts.assign(2, text);
  CHECK(held_bytes(texts) == empty + 2 * of_text);
  CHECK(held_bytes(std::variant<int, std::string>(text)) == of_text);
  const Message bare{"key", {}, {}}, inner{"key", {}, text};
  const Message outer{"key", {{"name", inner}}, {}};
  CHECK(held_bytes(bare) == 0);
  CHECK(held_bytes(outer) == held_bytes(outer.arguments));
  CHECK(held_bytes(outer) > of_text + sizeof(MessageArgument));
}

}  // namespace warpbook::tests::held_bytes_test
