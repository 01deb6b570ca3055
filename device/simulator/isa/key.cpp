#include "device/simulator/isa/key.hpp"

#include <algorithm>

namespace warpbook::device::isa {

bool Key::take(Word modifier) {
  for (std::size_t i = 0; i < modifiers_.size() && i < 64; ++i) {
    if (modifiers_[i] == modifier && !(taken_ >> i & 1)) {
      taken_ |= std::uint64_t{1} << i;
      return true;
    }
  }
  return false;
}

bool Key::has(Word modifier) const {
  return std::find(modifiers_.begin(), modifiers_.end(), modifier) != modifiers_.end();
}

Type Key::take_type() {
  for (std::size_t i = 0; i < modifiers_.size() && i < 64; ++i) {
    if (!(taken_ >> i & 1) && type_of(modifiers_[i]) != Type::none) {
      taken_ |= std::uint64_t{1} << i;
      return type_of(modifiers_[i]);
    }
  }
  return Type::none;
}

bool Key::all_taken() const {
  return modifiers_.size() <= 64 &&
         taken_ == (modifiers_.size() == 64 ? ~std::uint64_t{0}
                                            : (std::uint64_t{1} << modifiers_.size()) - 1);
}

}  // namespace warpbook::device::isa
