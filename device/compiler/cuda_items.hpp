// A CUDA program as a row of declarations, near enough to tell which belong to device code.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "device/compiler/cuda_tokens.hpp"

namespace warpbook::device {

using CudaNames = std::unordered_set<std::string_view>;

/// A declaration or definition at namespace scope, a macro, or a member of a class.
struct CudaItem {
  std::size_t begin = 0, end = 0;       ///< tokens
  std::vector<std::string_view> names;  ///< none: not known, and then the item stays
  bool device = false;                  ///< says so itself, directly or through a macro
  bool kernel = false;                  ///< likewise that it is a kernel
  bool macro = false;
  bool kept = false;
};

/// The tokens with empty texts for branches of conditions that the text itself shows to be dead, as where a guarded
/// header is included twice, and for the brackets of #else and #elif branches that do not match by themselves, as in
/// `#if A  f() { #else  g() { #endif`: what is left matches.
std::vector<CudaToken> with_matching_branches(std::vector<CudaToken> tokens);

/// All items but macros, in order. Nothing where the braces do not match.
std::optional<std::vector<CudaItem>> cuda_items(const std::vector<CudaToken>& tokens);

/// The macros' definitions.
std::vector<CudaItem> macro_items(const std::vector<CudaToken>& tokens);

/// Whether only the host can use it: a function, a member function or a variable without a word from
/// `device_words`. What may be a constant is not counted in.
bool is_of_the_host(const std::vector<CudaToken>& tokens, const CudaItem& item,
                    const CudaNames& device_words);

/// Whether it declares or defines a function, or a variable with arguments in parentheses.
bool is_function(const std::vector<CudaToken>& tokens, const CudaItem& item);

/// The members of a class, without `public:` and its like. None where the item is no class.
std::vector<CudaItem> members_of(const std::vector<CudaToken>& tokens, const CudaItem& item);

/// Behind the angles that open at `at`: they nest, and shifts close two.
std::size_t after_angles(const std::vector<CudaToken>& tokens, std::size_t at);

}  // namespace warpbook::device
