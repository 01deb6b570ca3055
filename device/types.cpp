#include "device/types.hpp"

#include <algorithm>
#include <array>

namespace warpbook::device {

std::size_t size_of(ElementType type) {
  static constexpr std::array<std::size_t, kEnumNames<ElementType>.size()> kBytes{1, 1, 2, 2, 4, 4,
                                                                                  8, 8, 2, 2, 4, 8};
  return kBytes.at(static_cast<std::size_t>(type));
}

bool parse_element_type(std::string_view name, ElementType& type) {
  const auto found = std::ranges::find(kEnumNames<ElementType>, name);
  if (found == kEnumNames<ElementType>.end()) return false;
  type = static_cast<ElementType>(found - kEnumNames<ElementType>.begin());
  return true;
}

}  // namespace warpbook::device
