#include "device/types.hpp"

#include <array>

namespace warpbook::device {
namespace {

struct ElementTypeRow {
  ElementType type;
  std::string_view name;
  std::size_t bytes;
};

constexpr std::array kElementTypes{
    ElementTypeRow{ElementType::u8, "u8", 1},   ElementTypeRow{ElementType::i8, "i8", 1},
    ElementTypeRow{ElementType::u16, "u16", 2}, ElementTypeRow{ElementType::i16, "i16", 2},
    ElementTypeRow{ElementType::u32, "u32", 4}, ElementTypeRow{ElementType::i32, "i32", 4},
    ElementTypeRow{ElementType::u64, "u64", 8}, ElementTypeRow{ElementType::i64, "i64", 8},
    ElementTypeRow{ElementType::f16, "f16", 2}, ElementTypeRow{ElementType::bf16, "bf16", 2},
    ElementTypeRow{ElementType::f32, "f32", 4}, ElementTypeRow{ElementType::f64, "f64", 8},
};

constexpr bool rows_stand_in_order() {
  for (std::size_t i = 0; i < kElementTypes.size(); ++i) {
    if (static_cast<std::size_t>(kElementTypes[i].type) != i) return false;
  }
  return true;
}
static_assert(rows_stand_in_order(), "the table is indexed by the type");

}  // namespace

std::size_t size_of(ElementType type) {
  return kElementTypes.at(static_cast<std::size_t>(type)).bytes;
}

std::string_view name_of(ElementType type) {
  return kElementTypes.at(static_cast<std::size_t>(type)).name;
}

bool parse_element_type(std::string_view name, ElementType& type) {
  for (const ElementTypeRow& row : kElementTypes) {
    if (row.name == name) {
      type = row.type;
      return true;
    }
  }
  return false;
}

std::string_view name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::measured: return "measured";
    case Evidence::counted: return "counted";
    case Evidence::estimated: return "estimated";
    case Evidence::recorded: return "recorded";
    case Evidence::reported: return "reported";
  }
  __builtin_unreachable();
}

}  // namespace warpbook::device
