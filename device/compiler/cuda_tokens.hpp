// CUDA C++ as a row of tokens, near enough to find declarations: no preprocessing, no meaning.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpbook::device {

struct CudaToken {
  enum class Kind : std::uint8_t {
    word,      ///< an identifier, a keyword or a number
    literal,   ///< a string or a character, prefix and raw form included
    mark,      ///< one character of punctuation
    directive  ///< a whole preprocessor line with its continuations, without the final line end
  };
  Kind kind{};
  std::string_view text;
};

/// Comments and white space are left out. The views point into `source`. Unterminated things end
/// with the source.
std::vector<CudaToken> cuda_tokens(std::string_view source);

/// The words of a text, in order, strings and comments left out.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace warpbook::device
