#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/simulator/ptx/names.hpp"

namespace warpbook::device::ptx::names_test {

TEST_CASE("the innermost declaration wins and is forgotten with its scope", "[ptx]") {
  Names names;
  REQUIRE(names.declare("x", 1, 10));
  names.open_scope();
  CHECK(names.find("x")->index == 10);
  REQUIRE(names.declare("x", 2, 20));
  REQUIRE(names.declare("y", 2, 21));
  CHECK(names.find("x")->index == 20);
  names.close_scope();
  CHECK(names.find("x")->index == 10);
  CHECK(names.find("x")->depth == 0);
  CHECK(names.find("y") == nullptr);
}

TEST_CASE("a name is declared once in a scope", "[ptx]") {
  Names names;
  REQUIRE(names.declare("x", 1, 10));
  CHECK_FALSE(names.declare("x", 1, 11));
  CHECK(names.find("x")->index == 10);
}

TEST_CASE("what is declared for an outer scope outlives the inner one", "[ptx]") {
  Names names;
  names.open_scope();
  names.open_scope();
  REQUIRE(names.declare_at(1, "x", 1, 10));
  names.close_scope();
  CHECK(names.find("x")->index == 10);
  names.close_scope();
  CHECK(names.find("x") == nullptr);
}

TEST_CASE("ten thousand names in a hundred scopes are all kept apart", "[ptx]") {
  Names names;
  std::vector<std::string> texts;
  for (int i = 0; i < 10'000; ++i) {
    texts.push_back("name_with_a_long_front_" + std::to_string(i));
  }
  for (std::uint32_t scope = 0; scope < 100; ++scope) {
    for (std::uint32_t i = scope; i < texts.size(); i += 100) {
      REQUIRE(names.declare(texts[i], 1, i));
    }
    names.open_scope();
  }
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    REQUIRE(names.find(texts[i])->index == i);
    REQUIRE(names.find(texts[i])->depth == i % 100);
  }
}

}  // namespace warpbook::device::ptx::names_test
