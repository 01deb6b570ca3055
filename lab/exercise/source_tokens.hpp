// A source in CUDA C++ as the words that a compiler reads: without comments, strings and lines for the preprocessor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpbook::lab {

/// A word of the program: a name, a number or a sign.
struct SourceToken {
  enum class Kind : std::uint8_t { name, number, sign };
  Kind kind = Kind::sign;
  std::size_t at = 0;     ///< in the source
  std::string_view text;  ///< of the source, which has to outlive it
};

/// All of them in their order. Any text has tokens, whether it is a program or not.
std::vector<SourceToken> source_tokens(std::string_view source);

}  // namespace warpbook::lab
