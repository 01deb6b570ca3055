#include "device/wire/bytes.hpp"

#include <catch2/catch_test_macros.hpp>

#include "device/error.hpp"

namespace warpbook::tests::bytes_test {

using namespace warpbook::device;

enum class Fruit : std::uint8_t { apple, pear };
constexpr auto enum_names(Fruit) { return checked_names<Fruit>("apple", "pear"); }

/// One of each kind of member.
struct Sample {
  std::uint64_t number = 0;
  double real = 0;
  bool truth = false;
  std::string text;
  Fruit fruit = Fruit::apple;
  std::array<std::uint16_t, 2> pair{};
  std::vector<std::string> words;
  std::vector<std::uint32_t> numbers;
  std::map<std::string, std::optional<int>> named;
  std::variant<int, std::string> either;
  std::filesystem::path path;
  friend bool operator==(const Sample&, const Sample&) = default;
};
template <class V>
void fields(V&& visit, Is<Sample> auto& v) {
  visit("number", v.number);
  visit("real", v.real);
  visit("truth", v.truth);
  visit("text", v.text);
  visit("fruit", v.fruit);
  visit("pair", v.pair);
  visit("words", v.words);
  visit("numbers", v.numbers);
  visit("named", v.named);
  visit("either", v.either);
  visit("path", v.path);
}

/// A list, and one of its elements.
struct Chosen {
  std::vector<int> list;
  std::uint32_t chosen = 0;
};
template <class V>
void fields(V&& visit, Is<Chosen> auto& v) {
  visit("list", v.list);
  visit("chosen", v.chosen);
}
bool valid(const Chosen& v) { return v.chosen < v.list.size(); }

/// A list of such lists, and so on without an end.
struct Nested {
  std::vector<Nested> inner;
};
template <class V>
void fields(V&& visit, Is<Nested> auto& v) {
  visit("inner", v.inner);
}

Sample sample() {
  return {7,
          -1.5,
          true,
          std::string("a\0b", 3),
          Fruit::pear,
          {1, 65535},
          {"one", ""},
          {1, 2, 3},
          {{"there", 4}, {"absent", std::nullopt}},
          "either",
          "/some/file"};
}

TEST_CASE("A value comes back from its bytes as it was") {
  const auto back = from_bytes<Sample>(to_bytes(sample()));
  REQUIRE(back);
  CHECK(*back == sample());
  CHECK(from_bytes<Sample>(to_bytes(Sample{})) == Sample{});
}

TEST_CASE("Bytes cut anywhere, or followed by more, are no value") {
  const std::string whole = to_bytes(sample());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    CHECK_FALSE(from_bytes<Sample>(std::string_view(whole).substr(0, length)));
  }
  CHECK(from_bytes<Sample>(whole + "x").error() == "something follows after its end");
}

TEST_CASE("Any one byte changed gives a value or a reason") {
  const std::string whole = to_bytes(sample());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0, 1, 0x7f, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      const auto back = from_bytes<Sample>(changed);
      CAPTURE(at, value);
      CHECK((back.has_value() || !back.error().empty()));
    }
  }
}

TEST_CASE("A length that reaches past the end allocates nothing") {
  const std::string huge = to_bytes(std::uint64_t{1} << 60);
  constexpr std::string_view kWhy = "a length reaches past its end";
  CHECK(from_bytes<std::string>(huge).error() == kWhy);
  CHECK(from_bytes<std::vector<double>>(huge).error() == kWhy);
  CHECK(from_bytes<std::vector<std::string>>(huge).error() == kWhy);
}

TEST_CASE("A value that an enum, a bool or a variant does not have is refused") {
  const std::string two("\2", 1);
  CHECK(from_bytes<Fruit>(two).error() == "a value that does not exist");
  CHECK_FALSE(from_bytes<bool>(two));
  CHECK_FALSE(from_bytes<std::variant<int, bool>>(two));
  CHECK_FALSE(from_bytes<ErrorCode>("\xff\xff"));
}

TEST_CASE("A map with a key twice is refused") {
  const std::vector<std::pair<std::string, int>> twice{{"a", 1}, {"a", 2}};
  CHECK_FALSE(from_bytes<std::map<std::string, int>>(to_bytes(twice)));
}

TEST_CASE("Values that contradict each other are refused, also inside another value") {
  CHECK(from_bytes<Chosen>(to_bytes(Chosen{{5, 6}, 1})));
  CHECK(from_bytes<Chosen>(to_bytes(Chosen{{5, 6}, 2})).error() ==
        "values that contradict each other");
  CHECK_FALSE(from_bytes<std::vector<Chosen>>(to_bytes(std::vector<Chosen>{{{5}, 0}, {{5}, 1}})));
}

TEST_CASE("Values inside each other end at a depth that no stack is too small for") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += to_bytes(std::uint64_t{1});
  CHECK(from_bytes<Nested>(deep).error() == "values inside each other without an end");
}

TEST_CASE("The names of an enum are those of its list") {
  CHECK(name_of(Fruit::pear) == "pear");
  CHECK(kEnumNames<Fruit>.size() == 2);
  CHECK(is_enumerator<Fruit::pear>());
  CHECK_FALSE(is_enumerator<static_cast<Fruit>(2)>());
  for (const ErrorCode code : all_error_codes())
    CHECK(kEnumNames<ErrorCode>.at(static_cast<std::size_t>(code)) == name_of(code));
}

TEST_CASE("An error comes back with its arguments and its place") {
  const std::optional<Error> sent =
      Error{ErrorCode::assertion, {{"text", "x < 4"}}, {"a.cu", 3, 1}};
  const auto back = from_bytes<std::optional<Error>>(to_bytes(sent));
  REQUIRE(back);
  CHECK(*back == sent);
}

}  // namespace warpbook::tests::bytes_test
