// The operands of the video instructions (PTX ISA 9.0, 9.7.18), which work on a byte, half-word or word of each operand, or
// on two half-words or four bytes in parallel.
#pragma once

#include <cstdint>

namespace warpbook::device::isa::video {

enum class Kind : std::uint8_t { add, sub, avrg, absdiff, min, max, shl, shr, set, mad };
/// The secondary operation, which combines the result with operand c.
enum class Second : std::uint8_t { none, add, min, max };
enum class Relation : std::uint8_t { eq, ne, lt, le, gt, ge };

/// A part of a word: 0 to 3 are its bytes, 4 and 5 its half-words, kWhole is the word.
inline constexpr std::uint64_t kWhole = 7;

/// Everything about one instruction, packed into DecodedInstruction::immediate. Operands: d, a, b, and c where there is one.
struct Plan {
  std::uint64_t kind : 4, relation : 3, second : 2;
  std::uint64_t d_signed : 1, a_signed : 1, b_signed : 1;
  std::uint64_t sat : 1, wrap : 1;
  std::uint64_t plus_one : 1, negate_product : 1, negate_c : 1, shift : 4;  ///< vmad's
  std::uint64_t d_part : 3;  ///< scalar: the part of d that is written; the rest is copied from c
  std::uint64_t mask : 4;    ///< parallel: the elements that are computed
  std::uint64_t a_select : 12, b_select : 12;  ///< scalar: a part; parallel: 3 bits per element
};
static_assert(sizeof(Plan) == 8);

}  // namespace warpbook::device::isa::video
