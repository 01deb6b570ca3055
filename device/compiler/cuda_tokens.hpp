// CUDA C++ as a list of tokens, exact enough to find declarations. Nothing is preprocessed or interpreted.
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

/// Without comments and white space. The views point into `source`. A string or comment without an end reaches to the end
/// of the source.
std::vector<CudaToken> cuda_tokens(std::string_view source);

/// The words of a text, in order, strings and comments left out.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace warpbook::device
