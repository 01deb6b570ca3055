// What one lane's instruction computes from its operands, written from the PTX ISA's text.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "device/simulator/ptx/module.hpp"
#include "tests/device/simulator/reference/exact.hpp"

namespace warpbook::device::tests::reference {

using ptx::Type;
using ptx::Word;

/// One instruction in one lane: operands in, results out. A predicate is 0 or 1.
struct Scalar {
  Word opcode{};
  std::span<const Word> modifiers;
  std::array<Wide, 5> in{};      ///< the sources, in the order in which they are written
  int count = 0;                 ///< how many there are
  int d_bytes = 0, a_bytes = 0;  ///< of the destination's and the first source's register
  bool carry = false;            ///< the condition code, in and out

  Wide d = 0;
  bool second = false;  ///< setp's q

  [[nodiscard]] bool has(Word word) const {
    for (const Word m : modifiers) {
      if (m == word) return true;
    }
    return false;
  }
  /// The type that is written `n`-th.
  [[nodiscard]] Type type(int n = 0) const {
    for (const Word m : modifiers) {
      if (ptx::type_of(m) != Type::none && n-- == 0) return ptx::type_of(m);
    }
    return Type::none;
  }
};

inline Wide low_bits(Wide value, int bits) {
  return bits >= 128 ? value : value & ((Wide{1} << bits) - 1);
}
inline int bits_of(Type type) { return 8 * static_cast<int>(ptx::bytes_of(type)); }
inline bool is_signed(Type type) { return type >= Type::s8 && type <= Type::s64; }
inline bool is_integer(Type type) { return type >= Type::u8 && type <= Type::s64; }

/// The number that the low bits stand for.
inline SignedWide number(Type type, Wide value) {
  const int bits = bits_of(type);
  value = low_bits(value, bits);
  if (is_signed(type) && (value >> (bits - 1) & 1) != 0) value -= Wide{1} << bits;
  return static_cast<SignedWide>(value);
}

/// Each computes what it knows and says whether it does.
bool evaluate_integer(Scalar& s);
bool evaluate_bits(Scalar& s);
bool evaluate_float(Scalar& s);
bool evaluate_half(Scalar& s);
bool evaluate_compare(Scalar& s);
bool evaluate_convert(Scalar& s);
inline bool evaluate(Scalar& s) {
  return evaluate_integer(s) || evaluate_bits(s) || evaluate_float(s) || evaluate_half(s) ||
         evaluate_compare(s) || evaluate_convert(s);
}

}  // namespace warpbook::device::tests::reference
