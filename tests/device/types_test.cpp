#include "device/types.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::types_test {

using namespace warpbook::device;

TEST_CASE("Every element type is found again by its name, and has the size that its name says") {
  for (const auto type :
       {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16, ElementType::u32,
        ElementType::i32, ElementType::u64, ElementType::i64, ElementType::f16, ElementType::bf16,
        ElementType::f32, ElementType::f64}) {
    const std::string name(name_of(type));
    CAPTURE(name);
    ElementType found = ElementType::u8;
    REQUIRE(parse_element_type(name, found));
    CHECK(found == type);
    CHECK(std::to_string(size_of(type) * 8) == name.substr(name.find_first_of("0123456789")));
  }
}

TEST_CASE("What is no element type is refused and changes nothing") {
  ElementType type = ElementType::f64;
  for (const char* name : {"", "f", "f33", "F32", "float", "i32 "}) {
    CAPTURE(name);
    CHECK_FALSE(parse_element_type(name, type));
    CHECK(type == ElementType::f64);
  }
}

}  // namespace warpbook::tests::types_test
