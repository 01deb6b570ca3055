// Splits a line of CUDA C++, PTX, SASS or TOML into tokens, to colour text that is shown but not edited.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "gui/draw/theme.hpp"

namespace warpbook::gui {

enum class Dialect : std::uint8_t { cuda, ptx, sass, toml, plain };
/// The dialect of a fenced code block by its info string; CUDA C++ for a name that is not known.
Dialect dialect_of(std::string_view language);

struct Token {
  enum class Kind : std::uint8_t { text, keyword, type, cuda, number, string, comment, directive };
  std::size_t from = 0, to = 0;  ///< bytes of the line
  Kind kind = Kind::text;
};

/// The tokens of one line, in order and without gaps. `in_comment` carries an open /* to the next line.
std::vector<Token> highlight(std::string_view line, Dialect dialect, bool& in_comment);
Colour colour_of(Token::Kind kind, const Theme& theme);

/// The words of CUDA C++, which the editor's language definition uses too.
const std::vector<std::string_view>& cuda_keywords();
const std::vector<std::string_view>& cuda_types();
const std::vector<std::string_view>& cuda_names();

}  // namespace warpbook::gui
