// The vocabulary of PTX: every opcode, modifier, directive, type and special register of the PTX
// ISA 9.0 as an enum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpbook::device::ptx {

/// A word of PTX, whatever its part of speech: the opcode `min` and the modifier `.min` are both
/// Word::min. An enumerator is the word without its dot, with these changes:
/// - `::` becomes `_`: `.shared::cluster` is shared_cluster, `.L2::128B` is L2_128B;
/// - a C++ keyword gets a trailing `_`: and_, or_, xor_, not_, const_, volatile_, extern_;
/// - a dimension that starts with a digit is turned: `.2d` is d2, `.2dms` is d2ms; any other shape
/// that starts with one
///   gets a prefix: `.16x64b` is shape_16x64b;
/// - a special register gets `sr_` for its `%`: `%tid` is sr_tid; WARP_SZ is warp_sz.
enum class Word : std::uint16_t {
  unknown = 0,
#define WARPBOOK_WORD(name, text) name,
#include "device/simulator/ptx/words.inc"
#undef WARPBOOK_WORD
};

/// How many enumerators there are, `unknown` included.
inline constexpr std::size_t kWordCount = 1
#define WARPBOOK_WORD(name, text) +1
#include "device/simulator/ptx/words.inc"
#undef WARPBOOK_WORD
    ;

/// The word spelled `text`: no dot; special registers with their `%`. Word::unknown where there is
/// none.
Word find_word(std::string_view text);

/// The spelling that find_word takes; empty for Word::unknown.
std::string_view text_of(Word word);

}  // namespace warpbook::device::ptx
