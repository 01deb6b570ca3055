// The words of CUDA C++ that the editor completes and explains.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::gui {

struct CudaWord {
  std::string_view name;
  std::string_view signature;  ///< as a declaration would say it
};

/// By name. What each is for stands in lang/<language>/words.toml.
std::span<const CudaWord> cuda_words();
/// Null where the word is none of them.
const CudaWord* cuda_word(std::string_view name);

/// What a word may become of which so much is typed: words of CUDA, long keywords, and `own` words of the source, each once.
/// Nothing before three letters, since Enter takes a completion and two letters are often a whole word.
std::vector<std::string> completions_of(std::string_view typed, const std::set<std::string>& own);

}  // namespace warpbook::gui
