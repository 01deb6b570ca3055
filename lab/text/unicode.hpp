// Text as a terminal and a browser take it: valid UTF-8, no control characters, widths in columns.
#pragma once

#include <string>
#include <string_view>

namespace warpbook::lab {

/// What stands for bytes that are no character.
inline constexpr char32_t kReplacement = 0xfffd;

/// Takes the first code point off `text`; U+FFFD for each byte that is no part of one.
char32_t take_code_point(std::string_view& text);
/// `text` as valid UTF-8: whatever is not becomes U+FFFD.
std::string valid_utf8(std::string_view text);
/// As valid_utf8; characters that would move the cursor, change colours or turn the direction of the text (control
/// characters but newline and tab, Unicode's bidirectional controls) become U+FFFD too.
std::string printable(std::string_view text);

/// `text` with small letters for capitals (Latin, Greek, Cyrillic). Each keeps its place: the result is as long, byte for
/// byte.
std::string case_folded(std::string_view text);

/// Columns that a code point takes in a terminal: 0, 1, or 2 for East Asian wide characters (Unicode TR 11).
int columns_of(char32_t code_point);
int columns_of(std::string_view text);

}  // namespace warpbook::lab
