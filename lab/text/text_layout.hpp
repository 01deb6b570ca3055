// How wide text is in a fixed-pitch grid, and where a line of it may end: for the terminal, and for every place that
// breaks Chinese.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::lab {

bool is_utf8(std::string_view text);

char32_t first_character(std::string_view text);  ///< 0 where there is none
char32_t last_character(std::string_view text);   ///< 0 where there is none

/// True for characters that take two columns: Chinese characters, their punctuation, full-width forms (lab/text/unicode.hpp).
bool is_wide(char32_t c);
/// Punctuation that no line may begin with, and that no line may end with.
bool is_closing(char32_t c);
bool is_opening(char32_t c);
/// True where a line may end between two characters that have no space between them: beside a Chinese character, but
/// not before closing and not after opening punctuation.
bool may_break(char32_t before, char32_t after);

/// `text` in lines of at most `width` columns; a line's leading `indent` (spaces) counts. Line ends in `text` are kept.
/// A word that is longer than a line is cut.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// `text` in lines of at most `room`, as `width` measures them. A word that is longer than a line stands alone.
std::vector<std::string> lines_within(double room, std::string_view text,
                                      const std::function<double(std::string_view)>& width);

}  // namespace warpbook::lab
